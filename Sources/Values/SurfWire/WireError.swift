/// Why bytes are not a datagram, a frame or a record of this protocol (Protocol.md §15).
///
/// Bytes from the network never do more than this: the reader drops them and counts the reason.
package enum WireError: Error, Equatable, Sendable {
  /// Fewer bytes than a field, or a length before it, promises.
  case truncated(field: String, needed: Int, available: Int)
  /// The first two octets are not ours.
  case foreign
  /// A version that we do not speak; `doctor` shows it.
  case unsupportedVersion(UInt8)
  /// A datagram type that version 1 does not have.
  case unknownType(UInt8)
  /// Sealed under a key that is not here.
  case unknownKey(id: UInt8)
  /// A count or size beyond its limit.
  case beyondLimit(field: String, value: Int, limit: Int)
  /// A value that its field cannot have.
  case invalid(field: String)
  /// Text that is not UTF-8.
  case malformedText(field: String)

  /// The row of Protocol.md §15 under which a drop is counted.
  package var reason: String {
    switch self {
    case .truncated: "truncated"
    case .foreign: "foreign"
    case .unsupportedVersion: "unsupported version"
    case .unknownType: "unknown type"
    case .unknownKey: "unknown key"
    case .beyondLimit: "beyond limit"
    case .invalid: "invalid"
    case .malformedText: "malformed text"
    }
  }
}
