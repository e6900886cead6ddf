import SurfWeb

package enum EngineIOError: Error, Equatable, Sendable {
  /// The type is missing.
  case emptyPacket
  /// A first byte that is not a packet type.
  case unknownPacketType(UInt8)
  /// A payload that is not UTF-8.
  case invalidUTF8
  /// A binary packet in a payload that is not base64.
  case invalidBase64
  /// A packet that the other side may not send, such as a ping by a client.
  case unexpectedPacket
}

/// One packet (Engine.IO protocol v4, "Protocol").
package enum EngineIOPacket: Equatable, Sendable {
  /// `0`: the handshake as JSON text.
  case open(String)
  /// `1`: the session ends.
  case close
  /// `2`, from the server, or from a client that probes a WebSocket.
  case ping(String)
  /// `3`: the answer to a ping, with its text.
  case pong(String)
  /// `4`, or a binary frame. In a polling payload, text may not contain U+001E, which separates
  /// packets there.
  case message(WebMessage)
  /// `5`: the client switches to the WebSocket.
  case upgrade
  /// `6`: nothing; ends a poll.
  case noop
}

extension EngineIOPacket {
  /// Reads the packet in a WebSocket frame. Ignores bytes after a type that has no data.
  package init(frame: WebMessage) throws(EngineIOError) {
    switch frame {
    case .binary: self = .message(frame)
    case .text(let text): try self.init(text: text)
    }
  }

  /// Works on UTF-8, because `4` and a combining mark are one character, but several bytes.
  init(text: String) throws(EngineIOError) {
    guard let type = text.utf8.first else { throw .emptyPacket }
    let data = String(Substring(text.utf8.dropFirst()))
    switch type {
    case UInt8(ascii: "0"): self = .open(data)
    case UInt8(ascii: "1"): self = .close
    case UInt8(ascii: "2"): self = .ping(data)
    case UInt8(ascii: "3"): self = .pong(data)
    case UInt8(ascii: "4"): self = .message(.text(data))
    case UInt8(ascii: "5"): self = .upgrade
    case UInt8(ascii: "6"): self = .noop
    default: throw .unknownPacketType(type)
    }
  }

  /// The packet as one WebSocket frame ("Packet encoding", WebSocket).
  package var frame: WebMessage {
    switch self {
    case .open(let text): .text("0" + text)
    case .close: .text("1")
    case .ping(let text): .text("2" + text)
    case .pong(let text): .text("3" + text)
    case .message(.text(let text)): .text("4" + text)
    case .message(let binary): binary
    case .upgrade: .text("5")
    case .noop: .text("6")
    }
  }
}
