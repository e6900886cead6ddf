import JSONTree
import SurfWire

/// A message from a client of the gateway's RemoteInspector relay (Relay.md,
/// RemoteInspector messages). Apps send `update` and `log`, front ends send `subscribe`.
package struct InspectorMessage: Equatable, Sendable {
  package enum Meaning: Equatable, Sendable {
    /// The front end wants every message from now on.
    case subscribe
    case update(id: String, data: JSON)
    /// The message is a string, or a value that the front end shows as a tree.
    case log(message: JSON, level: String)
  }

  package let meaning: Meaning
  /// The message as the relay passes it on, with all its members.
  package let bytes: [UInt8]

  /// Parses a text or binary message.
  package init(parsing bytes: [UInt8]) throws(InspectorFault) {
    guard bytes.count <= InspectorLimits.messageSizeMax else {
      throw .tooLarge(size: bytes.count)
    }
    let json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: bytes)
    } catch {
      throw .notJSON(error)
    }
    meaning = try Self.meaning(of: json)
    self.bytes = json.bytes()
  }

  private static func meaning(of json: JSON) throws(InspectorFault) -> Meaning {
    switch json["type"]?.string {
    case "subscribe": return .subscribe
    case "update":
      guard let id = json["id"]?.string, id.utf8.count <= InspectorLimits.idSizeMax else {
        throw .unusableID
      }
      return .update(id: id, data: json["data"] ?? .null)
    case "log":
      return .log(message: json["message"] ?? "", level: json["level"]?.string ?? "")
    case let type: throw .unknownType(type)
    }
  }
}

// Messages that the relay writes for apps that do not speak RemoteInspector.
extension InspectorMessage {
  /// - Parameter data: JSON.
  package static func update(id: String, data: [UInt8]) -> [UInt8] {
    Array(#"{"type":"update","id":"#.utf8) + JSON.string(id).bytes()
      + Array(#","data":"#.utf8) + data + [ASCII.closeBrace]
  }

  /// - Parameters:
  ///   - level: the name of a method of JavaScript's console.
  ///   - attributes: JSON; nil if the line has none.
  package static func log(_ message: String, level: String, attributes: [UInt8]?) -> [UInt8] {
    Array(#"{"type":"log","message":"#.utf8) + JSON.string(message).bytes()
      + Array(#","level":"#.utf8) + JSON.string(level).bytes()
      + (attributes.map { Array(#","attributes":"#.utf8) + $0 } ?? []) + [ASCII.closeBrace]
  }
}

// RemoteInspector's front ends print log lines with the methods of a browser's console.
extension LogLevel {
  /// Ignores case. Nil if no level has the name.
  package init?(consoleName name: String) {
    switch name.lowercased() {
    case "trace", "verbose": self = .trace
    case "debug": self = .debug
    case "info", "log", "": self = .info
    case "warn", "warning": self = .warning
    case "error", "critical", "fatal": self = .error
    default: return nil
    }
  }

  /// The console method, such as `warn`.
  package var consoleName: String {
    switch self {
    case .trace: "trace"
    case .debug: "debug"
    case .info: "info"
    case .warning: "warn"
    case .error: "error"
    }
  }
}

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

/// The limits of the gateway's RemoteInspector relay (Relay.md, Limits).
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
