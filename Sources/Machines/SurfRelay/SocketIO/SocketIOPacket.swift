import JSONTree
import SurfBasics
import SurfWeb

/// An event: its name and arguments. Objects keep the order of their members.
package struct SocketIOMessage: Equatable, Sendable {
  package var event: String
  package var arguments: [JSON]

  package init(event: String, arguments: [JSON] = []) {
    self.event = event
    self.arguments = arguments
  }
}

/// One packet (Socket.IO protocol v5).
package struct SocketIOPacket: Equatable, Sendable {
  package enum Content: Equatable, Sendable {
    /// 0: requests a connection, with an object that the server may check; or grants it.
    case connect(JSON?)
    /// 1: ends the connection.
    case disconnect
    /// 2 or 5: an event, which expects an answer if it has an id.
    case event(SocketIOMessage, id: Int?)
    /// 3 or 6: the answer to the event `id`.
    case acknowledgement([JSON], id: Int)
    /// 4: refuses a connection, with an object or a string.
    case connectError(JSON)
  }

  /// The main namespace, which packets omit.
  static let mainNamespace = "/"

  /// Starts with `/` and contains no comma.
  package var namespace: String
  package var content: Content

  package init(namespace: String = mainNamespace, _ content: Content) {
    self.namespace = namespace
    self.content = content
  }
}

extension SocketIOPacket {
  /// The packet as an Engine.IO message ("Packet encoding"). Nothing is sent with attachments.
  package var message: WebMessage {
    switch content {
    case .connect(let payload): text("0", payload)
    case .disconnect: text("1")
    case .event(let message, let id):
      text("2", id: id, .array([.string(message.event)] + message.arguments))
    case .acknowledgement(let values, let id): text("3", id: id, .array(values))
    case .connectError(let reason): text("4", reason)
    }
  }

  private func text(_ type: String, id: Int? = nil, _ payload: JSON? = nil) -> WebMessage {
    var text = type
    if namespace != Self.mainNamespace { text += namespace + "," }
    if let id { text += String(id) }
    if let payload { text += payload.text() }
    return .text(text)
  }
}

/// Why bytes are not a packet that may come now.
package enum SocketIOError: Error, Equatable, Sendable {
  /// The type is missing.
  case emptyPacket
  /// A first byte that is not a packet type.
  case unknownPacketType(UInt8)
  /// No number of attachments before `-`.
  case invalidAttachmentCount
  /// More attachments than `SocketIODecoder.attachmentCountMax`.
  case tooManyAttachments
  /// An id that is missing, too large, or not allowed here.
  case invalidAcknowledgementID
  /// Text that should be JSON and is not.
  case invalidJSON(JSONError)
  /// JSON that does not fit the type of the packet.
  case invalidPayload
  /// A reference to an attachment that does not exist, or a second one to the same.
  case invalidPlaceholder
  /// A text instead of an attachment.
  case missingAttachment
  /// Bytes without a packet that expects them.
  case unexpectedAttachment
  /// A packet for a namespace that is not connected.
  case notConnected
  /// A packet that the other side may not send, or not now.
  case unexpectedPacket
}

extension JSON {
  /// Replaces each reference to an attachment with that attachment as base64, which `Data` reads
  /// from JSON. Takes each attachment once: copies could be too large.
  func filled(with attachments: inout [[UInt8]?]) throws(SocketIOError) -> JSON {
    switch self {
    case .null, .bool, .number, .string: return self
    case .array(let elements):
      return .array(
        try elements.map { element throws(SocketIOError) in
          try element.filled(with: &attachments)
        })
    case .object(let object):
      guard object["_placeholder"] == .bool(true) else {
        return .object(
          JSONObject(
            try object.members.map { member throws(SocketIOError) in
              .init(key: member.key, value: try member.value.filled(with: &attachments))
            }))
      }
      guard let index = object["num"]?.integer, attachments.indices.contains(index),
        let bytes = attachments[index].take()
      else { throw .invalidPlaceholder }
      return .string(Base64.text(bytes))
    }
  }
}
