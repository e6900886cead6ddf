import JSONTree
import SurfWeb

/// Reads packets from Engine.IO messages (Socket.IO protocol v5, "Packet encoding"), and puts their
/// attachments into them.
package struct SocketIODecoder: Sendable {
  /// The most attachments in a packet.
  static let attachmentCountMax = 10

  /// A packet that still lacks attachments. It holds at most `attachmentCountMax` messages.
  private struct Pending: Sendable {
    let header: SocketIOHeader
    let values: [JSON]
    var attachments: [[UInt8]] = []
  }

  private var pending: Pending?

  package init() {}

  /// Returns the packet that `message` completes; nil while attachments are missing. After an error
  /// it expects a new packet, but later messages may be attachments of the bad one.
  package mutating func receive(_ message: WebMessage) throws(SocketIOError) -> SocketIOPacket? {
    switch message {
    case .text(let text):
      guard pending == nil else {
        pending = nil
        throw .missingAttachment
      }
      return try begin(try SocketIOHeader(parsing: Array(text.utf8)))
    case .binary(let bytes):
      guard pending != nil else { throw .unexpectedAttachment }
      pending?.attachments.append(bytes)
      return try complete()
    }
  }

  private mutating func begin(_ header: SocketIOHeader) throws(SocketIOError) -> SocketIOPacket? {
    switch header.type {
    case .connect, .disconnect, .connectError:
      guard header.id == nil else { throw .invalidAcknowledgementID }
      let content = try Self.content(header.type, payload: try header.json())
      return SocketIOPacket(namespace: header.namespace, content)
    case .event, .acknowledgement, .binaryEvent, .binaryAcknowledgement:
      guard let values = try header.json()?.array else { throw .invalidPayload }
      pending = Pending(header: header, values: values)
      return try complete()
    }
  }

  private static func content(
    _ type: SocketIOHeader.Kind, payload: JSON?
  ) throws(SocketIOError) -> SocketIOPacket.Content {
    switch (type, payload) {
    case (.connect, nil), (.connect, .object): return .connect(payload)
    case (.disconnect, nil): return .disconnect
    case (.connectError, .object(let object)?): return .connectError(.object(object))
    case (.connectError, .string(let string)?): return .connectError(.string(string))
    default: throw .invalidPayload
    }
  }

  private mutating func complete() throws(SocketIOError) -> SocketIOPacket? {
    guard let packet = pending, packet.attachments.count == packet.header.attachmentCount else {
      return nil
    }
    pending = nil
    let header = packet.header
    let isAnswer = header.type == .acknowledgement || header.type == .binaryAcknowledgement
    // No attachment is the name of an event.
    guard isAnswer || packet.values.first?.string != nil else { throw .invalidPayload }
    var values = packet.values
    if header.type.isBinary {
      var attachments = packet.attachments.map(Optional.some)
      values = try values.map { value throws(SocketIOError) in
        try value.filled(with: &attachments)
      }
    }
    return SocketIOPacket(namespace: header.namespace, try Self.content(header, values))
  }

  private static func content(
    _ header: SocketIOHeader, _ values: [JSON]
  ) throws(SocketIOError) -> SocketIOPacket.Content {
    if header.type == .acknowledgement || header.type == .binaryAcknowledgement {
      guard let id = header.id else { throw .invalidAcknowledgementID }
      return .acknowledgement(values, id: id)
    }
    guard let event = values.first?.string else { throw .invalidPayload }
    return .event(
      SocketIOMessage(event: event, arguments: Array(values.dropFirst())), id: header.id)
  }
}
