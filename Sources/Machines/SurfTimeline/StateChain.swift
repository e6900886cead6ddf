import SurfDelta
import SurfWire

/// A state that is kept whole (the keyframe), and those that came after it, each as the difference
/// from the one before.
struct StateChain: Sendable {
  /// Making the last state of a chain shall not take longer than a person notices.
  static let differenceCountMax = 128
  /// Bytes to write for it: some milliseconds.
  static let applicationSizeMax = 64 * 1_024 * 1_024

  let type: String
  let keyframe: [UInt8]
  private var differences: [Difference] = []
  private var differenceSize = 0
  private var applicationSize = 0
  /// How many rows have a state of this chain; none of it can go before all of them have.
  private(set) var rowCount = 0

  init(_ content: Content) {
    type = content.type
    keyframe = content.bytes
  }

  var byteCount: Int { keyframe.count + differenceSize }

  /// Bytes that a difference from the state at an index may have, if another of this type may
  /// follow there. All together are worth half a state, or a page.
  func room(after index: Int, type: String) -> Int {
    guard index == differences.count, type == self.type, index < Self.differenceCountMax,
      applicationSize < Self.applicationSizeMax
    else { return 0 }
    return max(keyframe.count / 2, 4_096) - differenceSize
  }

  mutating func append(_ difference: Difference) {
    differences.append(difference)
    differenceSize += difference.operations.count
    applicationSize += difference.applicationSize
  }

  mutating func retain() { rowCount += 1 }
  mutating func release() { rowCount -= 1 }

  /// The state at an index; 0 is the keyframe.
  func state(at index: Int) -> [UInt8] {
    do throws(DifferenceError) {
      var state = keyframe
      for difference in differences[..<index] { try difference.apply(inPlace: &state) }
      return state
    } catch {
      preconditionFailure("a chain holds only differences between its own states: \(error)")
    }
  }

  /// What `state(at:)` takes.
  func cost(at index: Int) -> (differenceCount: Int, byteCount: Int) {
    (index, differences[..<index].reduce(keyframe.count) { $0 + $1.applicationSize })
  }

  var recountedByteCount: Int {
    differences.reduce(keyframe.count) { $0 + $1.operations.count }
  }
}
