import SurfWeb

/// One connection of either side: the opening handshake, then the WebSocket. Bytes in, events and
/// bytes out.
struct EchoConnection {
  private enum Phase {
    case request(HTTPRequestParser)
    case response(HTTPResponseParser, WebSocketHandshake.ClientHandshake)
    case open
    case refused
  }

  private var phase: Phase
  private var socket: WebSocketConnection
  private var output: [UInt8] = []

  /// Cases of the suite's group 9 send up to 16 MiB.
  private static let limits = WebSocketLimits(messageBytes: 32 << 20)

  static func server() -> EchoConnection {
    EchoConnection(
      phase: .request(HTTPRequestParser()),
      socket: WebSocketConnection(role: .server, limits: limits))
  }

  static func client(host: String, path: String) -> EchoConnection {
    let handshake = WebSocketHandshake.ClientHandshake(
      host: host, path: path, key: .random(in: 0 ... .max))
    return EchoConnection(
      phase: .response(HTTPResponseParser(), handshake),
      socket: WebSocketConnection(
        role: .client(maskingKey: { UInt32.random(in: 0 ... .max) }), limits: limits),
      output: handshake.request.encoded())
  }

  /// Nothing more will be said.
  var isOver: Bool {
    if case .refused = phase { true } else { socket.isClosed }
  }

  /// The events of these bytes, if the handshake is over.
  mutating func receive(_ bytes: [UInt8]) -> [WebSocketConnection.Event] {
    do {
      switch phase {
      case .request(var parser):
        try parser.receive(bytes)
        guard let request = try parser.next() else {
          phase = .request(parser)
          return []
        }
        output += try WebSocketHandshake.response(to: request).encoded()
        phase = .open
        return socket.receive(parser.takeRemaining())
      case .response(var parser, let handshake):
        try parser.receive(bytes)
        guard let response = try parser.next() else {
          phase = .response(parser, handshake)
          return []
        }
        try handshake.check(response)
        phase = .open
        return socket.receive(parser.takeRemaining())
      case .open: return socket.receive(bytes)
      case .refused: return []
      }
    } catch {
      refuse(error)
      return []
    }
  }

  /// Echoes what it received.
  mutating func echo(_ events: [WebSocketConnection.Event]) {
    for event in events {
      switch event {
      case .text(let text): socket.send(.text(text))
      case .binary(let bytes): socket.send(.binary(bytes))
      case .ping, .pong, .closed, .failed: break
      }
    }
  }

  mutating func takeOutput() -> [UInt8] {
    defer { output = [] }
    if case .open = phase { return output + socket.takeOutput() }
    return output
  }

  private mutating func refuse(_ error: any Error) {
    if let error = error as? HTTPError { output += HTTPResponse(refusing: error).encoded() }
    if let error = error as? HandshakeError { output += error.response.encoded() }
    phase = .refused
  }
}
