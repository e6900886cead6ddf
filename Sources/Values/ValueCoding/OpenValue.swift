/// A value or container whose text is being written.
struct OpenValue {
  /// What has been written of it.
  enum Shape: UInt8 {
    case undecided
    /// A text that is complete.
    case scalar
    case object
    case array
  }

  /// Its index in the low bits, and above them a number that no other has.
  let id: Int
  /// Whether a container opened it: it then ends as soon as that one goes on.
  let isNested: Bool
  let hasKey: Bool
  /// Values and containers around it.
  var depth: Int
  let firstMember: Int
  /// Where its text begins.
  let start: Int
  var shape = Shape.undecided
  /// Whether another value was written in its place.
  var isTaken = false
  /// Whether each key so far comes behind the one before.
  var isSorted = true
  var hasEscapedKeys = false
  /// Members or elements.
  var count = 0

  /// Enough for the index of any: there are at most `ValueCoder.depthMax + 1`.
  static let indexBits = 10
  static func index(of id: Int) -> Int { id & (1 << indexBits - 1) }
}
