import JSONTree
import SurfBasics

/// An event: its name, arguments, and the bytes outside of its arguments.
package struct SocketIOMessage: Equatable, Sendable {
  package var event: String
  /// The values after the name. Objects keep the order of their members.
  package var arguments: [JSON]
  /// The bytes outside of the arguments. An object in the arguments refers to one array by its
  /// index, `num`.
  package var attachments: [[UInt8]]

  package init(event: String, arguments: [JSON] = [], attachments: [[UInt8]] = []) {
    self.event = event
    self.arguments = arguments
    self.attachments = attachments
  }

  /// The arguments, with attachments inserted as base64, as Swift's `Data` reads them from JSON.
  package var filled: [JSON] {
    attachments.isEmpty ? arguments : arguments.map { $0.filled(with: attachments) }
  }
}

/// The answer to an event that asked for one.
package struct SocketIOReply: Equatable, Sendable {
  package var arguments: [JSON]
  /// The bytes outside of the arguments. An object in the arguments refers to one array by its
  /// index, `num`.
  package var attachments: [[UInt8]]

  package init(arguments: [JSON] = [], attachments: [[UInt8]] = []) {
    self.arguments = arguments
    self.attachments = attachments
  }
}

/// One packet, in however many messages it is sent (Socket.IO protocol v5).
package struct SocketIOPacket: Equatable, Sendable {
  /// The type and its contents. Events and acknowledgements with attachments are binary.
  package enum Content: Equatable, Sendable {
    /// 0: requests a connection, with an object that the server may check; or grants it.
    case connect(JSON?)
    /// 1: ends the connection.
    case disconnect
    /// 2 or 5: an event, which expects an answer if it has an id.
    case event(SocketIOMessage, id: Int?)
    /// 3 or 6: the answer to the event `id`.
    case acknowledgement(SocketIOReply, id: Int)
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

/// Why bytes are not a packet, or a packet cannot be sent.
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
  /// A namespace that does not start with `/`, or contains a comma.
  case invalidNamespace
  /// Text that should be JSON and is not.
  case invalidJSON(JSONError)
  /// JSON that does not fit the type of the packet.
  case invalidPayload
  /// A reference to an attachment that does not exist.
  case invalidPlaceholder
  /// A text instead of an attachment.
  case missingAttachment
  /// Bytes without a packet that expects them.
  case unexpectedAttachment
  /// A packet for a namespace that is not connected.
  case notConnected
  /// A packet that the other side may not send, or not now.
  case unexpectedPacket
  /// A message of `size` octets to a server that accepts at most `max`.
  case messageTooLarge(size: Int, max: Int)
}

extension JSON {
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

  /// Whether all references in this value are to the first `count` attachments.
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
