import JSONTree
import SurfBasics

/// An event: its name, arguments, and the bytes that stand outside of its arguments.
package struct SocketIOMessage: Equatable, Sendable {
  /// The name.
  package var event: String
  /// The values after the name. Members of objects keep their order.
  package var arguments: [JSON]
  /// The bytes that `JSON.socketIOPlaceholder` refers to by index.
  package var attachments: [[UInt8]]

  /// `event` with these arguments.
  package init(event: String, arguments: [JSON] = [], attachments: [[UInt8]] = []) {
    self.event = event
    self.arguments = arguments
    self.attachments = attachments
  }

  /// The arguments with each attachment in its place as base64, which is how Swift's `Data` reads
  /// bytes from JSON.
  package var filled: [JSON] {
    attachments.isEmpty ? arguments : arguments.map { $0.filled(with: attachments) }
  }
}

/// The answer to an event that asked for one.
package struct SocketIOReply: Equatable, Sendable {
  /// The values, possibly none.
  package var arguments: [JSON]
  /// The bytes that `JSON.socketIOPlaceholder` refers to by index.
  package var attachments: [[UInt8]]

  /// A reply of these values.
  package init(arguments: [JSON] = [], attachments: [[UInt8]] = []) {
    self.arguments = arguments
    self.attachments = attachments
  }
}

/// One packet, whatever the number of messages it travels in (Socket.IO protocol v5).
package struct SocketIOPacket: Equatable, Sendable {
  /// The type with what goes with it; binary events and acknowledgements are those that have
  /// attachments.
  package enum Content: Equatable, Sendable {
    /// 0: asks for a connection, with an object for the server to check; or grants it.
    case connect(JSON?)
    /// 1: ends the connection.
    case disconnect
    /// 2 or 5: an event, to be answered if it has an id.
    case event(SocketIOMessage, id: Int?)
    /// 3 or 6: the answer to the event `id`.
    case acknowledgement(SocketIOReply, id: Int)
    /// 4: refuses a connection, by an object or a string.
    case connectError(JSON)
  }

  /// The name of the main namespace, which is not written.
  static let mainNamespace = "/"

  /// The packet's namespace: begins with `/` and holds no comma.
  package var namespace: String
  /// The rest.
  package var content: Content

  /// A packet in `namespace`.
  package init(namespace: String = mainNamespace, _ content: Content) {
    self.namespace = namespace
    self.content = content
  }
}

/// Why bytes are not a packet, or why a packet cannot be sent.
package enum SocketIOError: Error, Equatable, Sendable {
  /// The packet has not even a type.
  case emptyPacket
  /// A first byte that is not a packet type.
  case unknownPacketType(UInt8)
  /// No number of attachments in front of `-`.
  case invalidAttachmentCount
  /// More attachments than `SocketIODecoder.attachmentCountMax`.
  case tooManyAttachments
  /// An id that is missing, too great, or where none may stand.
  case invalidAcknowledgementID
  /// A namespace that does not begin with `/`, or holds a comma.
  case invalidNamespace
  /// Text that should be JSON and is not.
  case invalidJSON(JSONError)
  /// JSON that does not fit the type of the packet.
  case invalidPayload
  /// A reference to an attachment that does not exist.
  case invalidPlaceholder
  /// A text while attachments are awaited.
  case missingAttachment
  /// Bytes while none are awaited.
  case unexpectedAttachment
  /// A packet for a namespace that is not connected.
  case notConnected
  /// A packet that the other side may not send, or not now.
  case unexpectedPacket
  /// A message of so many octets to a side that takes `max`.
  case messageTooLarge(size: Int, max: Int)
}

extension JSON {
  /// What stands in the arguments for the attachment at `index`.
  package static func socketIOPlaceholder(_ index: Int) -> JSON {
    ["_placeholder": true, "num": .number(index)]
  }

  fileprivate func filled(with attachments: [[UInt8]]) -> JSON {
    switch self {
    case .null, .bool, .number, .string: return self
    case .array(let elements): return .array(elements.map { $0.filled(with: attachments) })
    case .object(let object):
      guard object["_placeholder"] == .bool(true), let index = object["num"]?.integer,
        attachments.indices.contains(index)
      else {
        return .object(
          JSONObject(
            object.members.map { .init(key: $0.key, value: $0.value.filled(with: attachments)) }))
      }
      return .string(Base64.text(attachments[index]))
    }
  }

  /// Whether every reference in this value is to one of the first `count` attachments.
  func hasOnlyPlaceholders(below count: Int) -> Bool {
    switch self {
    case .null, .bool, .number, .string: return true
    case .array(let elements):
      return elements.allSatisfy { $0.hasOnlyPlaceholders(below: count) }
    case .object(let object):
      guard object["_placeholder"] == .bool(true) else {
        return object.members.allSatisfy { $0.value.hasOnlyPlaceholders(below: count) }
      }
      guard let index = object["num"]?.integer else { return false }
      return 0..<count ~= index
    }
  }
}
