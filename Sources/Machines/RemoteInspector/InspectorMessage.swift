import JSONTools
package import JSONTree

/// A message from a client of the gateway's RemoteInspector relay (Protocol.md §B.6). Apps send
/// `update` and `log`, front ends send `subscribe`.
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
    self.bytes = json.javaScriptBytes
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
    Array(#"{"type":"update","id":"#.utf8) + JSON.string(id).javaScriptBytes
      + Array(#","data":"#.utf8) + data + [ASCII.closeBrace]
  }

  /// - Parameters:
  ///   - level: the name of a method of JavaScript's console.
  ///   - attributes: JSON; nil if the line has none.
  package static func log(_ message: String, level: String, attributes: [UInt8]?) -> [UInt8] {
    Array(#"{"type":"log","message":"#.utf8) + JSON.string(message).javaScriptBytes
      + Array(#","level":"#.utf8) + JSON.string(level).javaScriptBytes
      + (attributes.map { Array(#","attributes":"#.utf8) + $0 } ?? []) + [ASCII.closeBrace]
  }
}
