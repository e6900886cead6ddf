/// Why octets are not a delta, or why it cannot be applied (Protocol.md §8.3).
package enum DeltaError: Error, Equatable, Sendable {
  /// Fewer octets than a field, or a length before it, promises.
  case truncated(field: String, needed: Int, available: Int)
  /// A size beyond what the caller allows.
  case beyondLimit(field: String, value: Int, limit: Int)
  /// A number that cannot be a record's.
  case invalidBase(UInt64)
  /// An operation on nothing; `at` is where it begins in the operations, here and below.
  case emptyOperation(at: Int)
  /// A number of more than 64 bits.
  case numberTooLong(at: Int)
  /// An operation leads out of the base.
  case outsideOfBase(at: Int, cursor: Int, count: Int)
  /// An operation makes more octets than the target has.
  case targetTooLong(at: Int, limit: Int)
  /// All operations together make fewer octets than the target has.
  case targetTooShort(size: Int, expected: Int)
  /// The octets to apply it to do not have the size of the base.
  case wrongBase(size: Int, expected: Int)

  /// The row of Protocol.md §15 under which a drop is counted.
  package var reason: String {
    switch self {
    case .truncated: "truncated"
    case .beyondLimit: "beyond limit"
    case .invalidBase, .emptyOperation, .numberTooLong, .outsideOfBase, .targetTooLong,
      .targetTooShort, .wrongBase:
      "invalid"
    }
  }
}
