import JSONTree
import SurfRelay
import SurfWeb

/// The part that all relays in memory share: the WebSocket below the session.
struct FakeSocket {
  private var parser = HTTPRequestParser()
  private(set) var request: HTTPRequest?
  var connection = WebSocketConnection(role: .server)
  /// Texts of the app, in order.
  private(set) var texts: [String] = []
  /// How the app closed, if it did.
  private(set) var closing: CloseCode?
  /// Bytes for the app that are not frames.
  private var head: [UInt8] = []

  /// Takes what the app writes, and gives the texts in it.
  mutating func receive(_ bytes: [UInt8]) throws -> [String] {
    var frames = bytes
    if request == nil {
      try parser.receive(bytes)
      guard let request = try parser.next() else { return [] }
      self.request = request
      head = try WebSocketHandshake.response(to: request).encoded()
      frames = parser.takeRemaining()
    }
    var new: [String] = []
    for event in connection.receive(frames) {
      switch event {
      case .text(let text): new.append(text)
      case .closed(let code, _): closing = code
      case .binary, .ping, .pong, .failed: break
      }
    }
    texts += new
    return new
  }

  mutating func takeBytes() -> [UInt8] {
    defer { head = [] }
    return head + connection.takeOutput()
  }
}

/// A session on the relay's side.
protocol FakeSession {
  static var address: RelayAddress { get }
  mutating func open(at now: Duration) -> [FakeOutput]
  mutating func receive(text: String, at now: Duration) -> [FakeOutput]
}

enum FakeOutput {
  case message(WebMessage)
  case close(CloseCode, String)
}

/// An app's link and the relay that it speaks to, without a network between.
struct Conversation<Session: FakeSession> {
  var link: RelayLink
  var socket = FakeSocket()
  var session: Session
  var now = Duration.zero
  /// What the link said, but for `write`.
  var news: [RelayLink.Output] = []
  private var isOpened = false

  init(_ session: Session) {
    self.session = session
    link = RelayLink(to: Session.address, random: { 0x0123_4567_89ab_cdef })
  }

  /// Carries bytes both ways until none is left.
  mutating func run() throws {
    while true {
      let outputs = link.takeOutputs()
      for output in outputs { try carry(output) }
      let bytes = socket.takeBytes()
      if !bytes.isEmpty { link.receive(bytes, at: now) }
      if outputs.isEmpty, bytes.isEmpty { return }
    }
  }

  private mutating func carry(_ output: RelayLink.Output) throws {
    guard case .write(let bytes) = output else { return news.append(output) }
    let texts = try socket.receive(bytes)
    if !isOpened, socket.request != nil {
      isOpened = true
      send(session.open(at: now))
    }
    for text in texts { send(session.receive(text: text, at: now)) }
  }

  /// Sends to the app what the session puts out.
  mutating func send(_ outputs: [FakeOutput]) {
    for output in outputs {
      switch output {
      case .message(let message): socket.connection.send(message)
      case .close(let code, let reason): socket.connection.close(code: code, reason: reason)
      }
    }
  }
}

/// `@redux-devtools/cli`, as far as one app sees it (Relay.md, SocketCluster).
struct ClusterRelay: FakeSession {
  static let address = RelayAddress(kind: .socketCluster, host: "::1", port: 8000)
  var session: SocketClusterServerSession
  /// What the app transmitted.
  var transmitted: [(event: String, data: JSON?)] = []
  var logins: [JSON?] = []
  /// Whether calls are answered.
  var answersLogin = true

  init(version: SocketClusterVersion = .v2) {
    session = SocketClusterServerSession(id: "S1", protocolVersion: version, now: .zero)
  }

  mutating func open(at now: Duration) -> [FakeOutput] { take() }

  mutating func receive(text: String, at now: Duration) -> [FakeOutput] {
    session.receive(.text(text), at: now)
    return take()
  }

  mutating func take() -> [FakeOutput] {
    var outputs: [FakeOutput] = []
    for output in session.takeOutputs() {
      switch output {
      case .send(let text): outputs.append(.message(.text(text)))
      case .close(let code, let reason):
        outputs.append(.close(CloseCode(rawValue: UInt16(code)), reason))
      case .invoke("login", let data, let cid):
        logins.append(data)
        if answersLogin { session.respond(to: cid, data: "respond") }
        outputs += take()
      case .transmit(let event, let data): transmitted.append((event, data))
      case .invoke, .subscribed: break
      }
    }
    return outputs
  }
}

/// A relay that speaks Socket.IO (Relay.md, Socket.IO).
struct SocketIORelay: FakeSession {
  static let address = RelayAddress(kind: .socketIO, host: "relay", port: 3000)
  var connection = SocketIOServerConnection(
    engine: EngineIOServerSession(sid: "E1", transport: .webSocket, now: .zero), now: .zero)
  var events: [SocketIOMessage] = []
  var refusal: String?

  mutating func open(at now: Duration) -> [FakeOutput] { take(at: now) }

  mutating func receive(text: String, at now: Duration) -> [FakeOutput] {
    connection.withEngine(at: now) { $0.receive(.text(text), at: now) }
    return take(at: now)
  }

  mutating func send(_ message: SocketIOMessage, at now: Duration) -> [FakeOutput] {
    connection.send(message, at: now)
    return take(at: now)
  }

  /// Sends an event whose text refers to bytes beside it.
  mutating func send(_ text: String, _ attachments: [[UInt8]], at now: Duration) -> [FakeOutput] {
    connection.withEngine(at: now) { engine in
      engine.send(.text("5\(attachments.count)-\(text)"))
      for bytes in attachments { engine.send(.binary(bytes)) }
    }
    return take(at: now)
  }

  mutating func take(at now: Duration) -> [FakeOutput] {
    var outputs: [FakeOutput] = []
    for output in connection.takeOutputs() {
      switch output {
      case .transport(.send(let frame)): outputs.append(.message(frame))
      case .transport(.closeWebSocket): outputs.append(.close(.normal, ""))
      case .connectRequested:
        if let refusal {
          outputs.append(.message(.text(#"44{"message":"\#(refusal)"}"#)))
        } else {
          connection.accept(sid: "N1", at: now)
        }
        outputs += take(at: now)
      case .event(let message): events.append(message)
      default: break
      }
    }
    return outputs
  }
}
