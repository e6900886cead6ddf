package import JSONTree

/// Why the gateway's RemoteInspector relay cannot use a client's message.
package enum InspectorFault: Error, Equatable, Sendable {
  case notJSON(JSONError)
  /// More octets than `InspectorLimits.messageSizeMax`.
  case tooLarge(size: Int)
  /// The `type` that is not one of the three, or nil if the message has no `type`.
  case unknownType(String?)
  /// An update's `id` is missing, not a string, or longer than `InspectorLimits.idSizeMax` octets.
  case unusableID

  /// A short name under which the relay counts and reports faults of this kind.
  package var kind: String {
    switch self {
    case .notJSON: "no JSON"
    case .tooLarge: "too large"
    case .unknownType: "unknown type"
    case .unusableID: "unusable id"
    }
  }
}

extension InspectorFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notJSON(let error): "it is not JSON: \(error)"
    case .tooLarge(let size):
      "it has \(size) octets, more than \(InspectorLimits.messageSizeMax)"
    case .unknownType(nil): "it has no \"type\""
    case .unknownType(let type?):
      "its type is \"\(type)\"; there are \"subscribe\", \"update\" and \"log\""
    case .unusableID:
      "an update needs an \"id\", a string of at most \(InspectorLimits.idSizeMax) octets"
    }
  }
}

/// The limits of the gateway's RemoteInspector relay (Protocol.md §B.5).
package enum InspectorLimits {
  /// In octets. The relay passes on no larger message.
  package static let messageSizeMax = 4 * 1_024 * 1_024
  /// In octets. The id becomes a record's name.
  package static let idSizeMax = 4_096
  /// How many ids of one app keep their latest value for front ends that connect later.
  package static let valueCountMax = 1_024
  /// In octets, ids and values together.
  package static let valueSizeMax = 4 * 1_024 * 1_024
}
