import SurfWire

/// Reads the states of one timeline row by row: each is made of the one read before, where that is
/// possible.
package struct StateCursor: Sendable {
  private var place: StateArchive.Place?
  private var bytes: [UInt8] = []

  package init() {}

  /// The state that was read.
  package enum Reading: Equatable, Sendable {
    /// The row has none, or no longer has it.
    case none
    /// The same bytes as the one read before.
    case same
    case bytes([UInt8])
  }

  /// - Parameter row: of the same timeline each time.
  package mutating func read(_ row: Row, in timeline: Timeline) -> Reading {
    guard let place = row.place else { return .none }
    guard place != self.place else { return .same }
    timeline.archive.read(place, from: self.place, into: &bytes)
    self.place = place
    return .bytes(bytes)
  }
}
