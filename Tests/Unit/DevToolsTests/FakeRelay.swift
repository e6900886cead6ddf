import JSONTree
import SurfRelay
import SurfStreams
import SurfThreads
import SurfWeb
import Testing

/// Far beyond the needs of any test on a busy machine, where other tests may hold all threads but
/// this one for a minute.
let patience = Duration.seconds(120)

/// A relay's record of its clients.
struct RelayLog {
  /// The frames of all connections, in order.
  var frames: [JSON] = []
  /// What each showed to be let in.
  var authorizations: [String?] = []
  /// Connections that were made.
  var entered = 0
  /// Streams that are open.
  var open = 0
  /// What apps acknowledged, in order.
  var acknowledgements: [JSON?] = []
}

/// A relay that says what the test wants, and writes down what an app says.
final class FakeRelay: Sendable {
  enum Kind { case socketIO, socketCluster }

  let log = Monitor(RelayLog())
  let loop: StreamLoop<FakeRelayMachine>
  let port: UInt16

  init(_ kind: Kind = .socketIO, host: String = "127.0.0.1", port: UInt16 = 0) throws {
    let address = try #require(TCPAddress(parsing: host, port: port))
    let log = log
    loop = try StreamLoop(listeners: [address], name: "fake-relay") {
      FakeRelayMachine(kind: kind, log: log)
    }
    self.port = loop.addresses[0].port
  }

  deinit { loop.stop() }

  /// Sends a frame to every app, as a panel would.
  func say(_ frame: JSON) { loop.send(.say(frame)) }

  /// The same, and every app must acknowledge it (Socket.IO alone).
  func ask(_ frame: JSON) { loop.send(.ask(frame)) }

  /// Cuts every connection.
  func cut() { loop.send(.cut) }

  var frames: [JSON] { log.withLock { $0.frames } }

  /// The frames, once there are as many.
  func frames(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) throws -> [JSON] {
    let isSo = log.wait(until: monotonicNow() + patience) { $0.frames.count >= count }
    try #require(isSo, "only \(frames)", sourceLocation: sourceLocation)
    return frames
  }

  /// The frames of a type, once there are as many.
  func frames(
    _ type: String, _ count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [JSON] {
    let isSo = log.wait(until: monotonicNow() + patience) { log in
      log.frames.count { $0["type"] == .string(type) } >= count
    }
    try #require(isSo, "only \(frames)", sourceLocation: sourceLocation)
    return frames.filter { $0["type"] == .string(type) }
  }

  func entered(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let isSo = log.wait(until: monotonicNow() + patience) { $0.entered >= count }
    try #require(isSo, sourceLocation: sourceLocation)
  }
}

struct FakeRelayMachine: StreamMachine {
  enum Input: Sendable {
    case say(JSON)
    case ask(JSON)
    case cut
  }

  struct Client {
    var parser: HTTPRequestParser? = HTTPRequestParser()
    var socket = WebSocketConnection(
      role: .server, limits: WebSocketLimits(messageBytes: 64 << 20))
    var socketIO: SocketIOServerConnection?
    var cluster: SocketClusterServerSession?
  }

  let kind: FakeRelay.Kind
  let log: Monitor<RelayLog>
  var clients: [StreamID: Client] = [:]
  var actions: [StreamAction] = []
  var count = 0
  var askCount = 0

  init(kind: FakeRelay.Kind, log: Monitor<RelayLog>) {
    self.kind = kind
    self.log = log
  }

  var deadline: Duration? { nil }
  mutating func advance(to now: Duration) {}

  mutating func takeActions() -> [StreamAction] {
    defer { actions = [] }
    return actions
  }

  mutating func receive(_ input: Input, at now: Duration) {
    for id in clients.keys {
      switch input {
      case .cut: actions.append(.abort(id))
      case .ask(let frame):
        askCount += 1
        let number = askCount
        update(id, at: now) { client in
          let message = SocketIOMessage(event: "dispatch", arguments: [frame])
          _ = client.socketIO?.send(message, id: number, at: now)
        }
      case .say(let frame):
        update(id, at: now) { client in
          let message = SocketIOMessage(event: "dispatch", arguments: [frame])
          // A client that has not entered hears nothing.
          _ = client.socketIO?.send(message, at: now)
          if let channel = client.cluster.map({ "sc-\($0.id)" }) {
            client.cluster?.emit(
              event: "#publish", data: ["channel": .string(channel), "data": frame])
          }
        }
      }
    }
  }

  mutating func receive(_ event: StreamEvent, at now: Duration) {
    switch event {
    case .accepted(let id, _, _):
      clients[id] = Client()
      log.withLock { $0.open += 1 }
    case .received(let id, let bytes):
      if clients[id]?.parser == nil {
        update(id, at: now) { Self.take(bytes, &$0, at: now) }
      } else {
        shakeHands(id, bytes, at: now)
      }
    case .ended(let id): actions.append(.closeAfterWriting(id))
    case .closed(let id, _):
      clients[id] = nil
      log.withLock { $0.open -= 1 }
    case .connected, .progress, .drained: break
    }
  }

  private mutating func shakeHands(_ id: StreamID, _ bytes: [UInt8], at now: Duration) {
    do {
      try clients[id]?.parser?.receive(bytes)
      guard let request = try clients[id]?.parser?.next() else { return }
      clients[id]?.parser = nil
      log.withLock { $0.authorizations.append(request.headers["Authorization"]) }
      actions.append(.write(id, try WebSocketHandshake.response(to: request).encoded()))
    } catch {
      actions.append(.abort(id))
    }
    count += 1
    let name = "client\(count)"
    let kind = kind
    update(id, at: now) { client in
      switch kind {
      case .socketIO:
        client.socketIO = SocketIOServerConnection(
          engine: EngineIOServerSession(sid: name, transport: .webSocket, now: now), now: now)
      case .socketCluster: client.cluster = SocketClusterServerSession(id: name, now: now)
      }
    }
  }

  private static func take(_ bytes: [UInt8], _ client: inout Client, at now: Duration) {
    for event in client.socket.receive(bytes) {
      guard case .text(let text) = event else { continue }
      client.socketIO?.withEngine(at: now) { $0.receive(.text(text), at: now) }
      client.cluster?.receive(.text(text), at: now)
    }
  }

  private mutating func update(
    _ id: StreamID, at now: Duration, _ body: (inout Client) -> Void
  ) {
    guard var client = clients[id] else { return }
    body(&client)
    drain(&client, at: now)
    let bytes = client.socket.takeOutput()
    if !bytes.isEmpty { actions.append(.write(id, bytes)) }
    clients[id] = client
  }

  private func drain(_ client: inout Client, at now: Duration) {
    while true {
      let outputs = client.socketIO?.takeOutputs() ?? []
      let clusterOutputs = client.cluster?.takeOutputs() ?? []
      if outputs.isEmpty, clusterOutputs.isEmpty { return }
      for output in outputs { perform(output, &client, at: now) }
      for output in clusterOutputs { perform(output, &client) }
    }
  }

  private func perform(
    _ output: SocketIOServerConnection.Output, _ client: inout Client, at now: Duration
  ) {
    switch output {
    case .transport(.send(.text(let text))): client.socket.send(.text(text))
    case .connectRequested:
      client.socketIO?.accept(sid: "N", at: now)
      log.withLock { $0.entered += 1 }
    case .event(let message) where message.event == "log":
      log.withLock { $0.frames += message.arguments }
    case .acknowledged(let values):
      log.withLock { $0.acknowledgements.append(values.first) }
    default: break
    }
  }

  private func perform(_ output: SocketClusterServerSession.Output, _ client: inout Client) {
    switch output {
    case .send(let text): client.socket.send(.text(text))
    case .invoke("login", _, let cid): client.cluster?.respond(to: cid, data: "respond")
    case .subscribed(let channel) where channel.hasPrefix("sc-"):
      log.withLock { $0.entered += 1 }
    case .transmit("log", let data?): log.withLock { $0.frames.append(data) }
    default: break
    }
  }
}
