import JSONTools
package import JSONTree

/// What a client of a RemoteInspector relay says: an app `update` and `log`, a front end
/// `subscribe` (Protocol.md §B.6).
package struct InspectorMessage: Equatable, Sendable {
  /// What it means.
  package enum Meaning: Equatable, Sendable {
    /// Pass everything on to me from now on.
    case subscribe
    /// A new value under an id.
    case update(id: String, data: JSON)
    /// A line of a log. The message is a string, or a value to be unfolded.
    case log(message: JSON, level: String)
  }

  package let meaning: Meaning
  /// The message as the relay passes it on, with all of its members.
  package let bytes: [UInt8]

  /// Reads a text or binary message.
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

// What a relay says of apps that do not speak RemoteInspector.
extension InspectorMessage {
  /// A value under an id.
  ///
  /// - Parameter data: JSON.
  package static func update(id: String, data: [UInt8]) -> [UInt8] {
    Array(#"{"type":"update","id":"#.utf8) + JSON.string(id).javaScriptBytes
      + Array(#","data":"#.utf8) + data + [ASCII.closeBrace]
  }

  /// A line of a log.
  ///
  /// - Parameters:
  ///   - level: the name of a method of JavaScript's console.
  ///   - attributes: JSON; nil if the line has none.
  package static func log(_ message: String, level: String, attributes: [UInt8]?) -> [UInt8] {
    Array(#"{"type":"log","message":"#.utf8) + JSON.string(message).javaScriptBytes
      + Array(#","level":"#.utf8) + JSON.string(level).javaScriptBytes
      + (attributes.map { Array(#","attributes":"#.utf8) + $0 } ?? []) + [ASCII.closeBrace]
  }
}
