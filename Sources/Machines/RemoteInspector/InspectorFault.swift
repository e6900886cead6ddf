package import JSONTree

/// Why a relay can do nothing with a message.
package enum InspectorFault: Error, Equatable, Sendable {
  case notJSON(JSONError)
  /// More octets than `InspectorLimits.messageSizeMax`.
  case tooLarge(size: Int)
  /// Not an object with one of the three types; nil if it names none.
  case unknownType(String?)
  /// An update without an `id`, or with one that is not a string of at most
  /// `InspectorLimits.idSizeMax` octets.
  case unusableID

  /// The same for all faults of a kind, to count and tell them by.
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
  /// The reason as a clause.
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

/// What a relay for RemoteInspector bounds (Protocol.md §B.5).
package enum InspectorLimits {
  /// Octets of a message that it passes on.
  package static let messageSizeMax = 4 * 1_024 * 1_024
  /// Octets of an id: it becomes a record's name.
  package static let idSizeMax = 4_096
  /// Ids of one app whose last values are kept for front ends that come later.
  package static let valueCountMax = 1_024
  /// Octets of these values.
  package static let valueSizeMax = 4 * 1_024 * 1_024
}
