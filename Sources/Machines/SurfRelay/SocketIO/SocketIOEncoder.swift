import JSONTree
import SurfWeb

/// Writes packets as Engine.IO messages (Socket.IO protocol v5, "Packet encoding").
package enum SocketIOEncoder {
  /// The messages of `packet`: a text, then its attachments. Throws if no decoder could read them.
  package static func encode(_ packet: SocketIOPacket) throws(SocketIOError) -> [WebMessage] {
    let namespace = packet.namespace
    guard namespace.utf8.first == UInt8(ascii: "/"), !namespace.utf8.contains(UInt8(ascii: ","))
    else { throw .invalidNamespace }
    switch packet.content {
    case .connect(let payload): return [text("0", namespace, payload)]
    case .disconnect: return [text("1", namespace)]
    case .connectError(let payload): return [text("4", namespace, payload)]
    case .event(let message, let id):
      return try encode(
        [.string(message.event)] + message.arguments, message.attachments, id: id,
        type: "2", binaryType: "5", namespace)
    case .acknowledgement(let reply, let id):
      return try encode(
        reply.arguments, reply.attachments, id: id, type: "3", binaryType: "6", namespace)
    }
  }

  private static func encode(
    _ values: [JSON], _ attachments: [[UInt8]], id: Int?, type: String, binaryType: String,
    _ namespace: String
  ) throws(SocketIOError) -> [WebMessage] {
    if let id, id < 0 { throw .invalidAcknowledgementID }
    let payload = JSON.array(values)
    guard !attachments.isEmpty else { return [text(type, namespace, id: id, payload)] }
    guard attachments.count <= SocketIODecoder.attachmentCountMax else { throw .tooManyAttachments }
    guard payload.hasOnlyPlaceholders(below: attachments.count) else { throw .invalidPlaceholder }
    let head = text("\(binaryType)\(attachments.count)-", namespace, id: id, payload)
    return [head] + attachments.map { .binary($0) }
  }

  private static func text(
    _ type: String, _ namespace: String, id: Int? = nil, _ payload: JSON? = nil
  ) -> WebMessage {
    var text = type
    if namespace != SocketIOPacket.mainNamespace { text += namespace + "," }
    if let id { text += String(id) }
    if let payload { text += payload.text() }
    return .text(text)
  }
}
