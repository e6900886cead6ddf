package import SurfWire

/// The greatest number of an app's heartbeats and goodbyes: an older one is none that was delayed
/// and matters.
package struct NewestNumber: Sendable {
  private var number: SequenceNumber = 0

  package init() {}

  /// - Returns: whether the number is greater than all before it, and a message's at all.
  package mutating func accept(_ next: SequenceNumber) -> Bool {
    guard next > number, next < .max else { return false }
    number = next
    return true
  }
}
