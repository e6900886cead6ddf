import JSONTree
import SurfBasics
import SurfRelay
import SurfStreams
import SurfWeb
import SurfWire

/// Our own SocketCluster relay: it does what `@redux-devtools/cli` does, and delivers `sc-<id>` to
/// the client of that id, which the CLI has not done since its version 2
/// (reduxjs/redux-devtools#1340).
struct ClusterRelay {
  enum Output {
    case send(String, StreamID)
    case close(StreamID, CloseCode, reason: String)
    /// Frames of WebSockets, ready to be written.
    case write([UInt8], [StreamID])
    /// What an app says of its history.
    case told(JSON, StreamID)
    /// What a panel says: to all apps on `respond`, to one on its own channel.
    case command(JSON, channel: String, StreamID)
    case note(GatewayNote)
  }

  private struct Client {
    let peer: String
    /// Whether it brings apps that another gateway has from a network.
    let isGateway: Bool
    var session: SocketClusterServerSession
    /// The channel on which others are told that it left; nil until it logged in.
    var farewellChannel: String?

    /// The ping behind the history that it was sent last, until it has answered.
    var awaited: Int?
    /// Apps whose histories we must send then. The one that waits longest comes first.
    var owed: [SessionID] = []

    /// Whether it has read the history that it was sent last.
    var isReady: Bool { awaited.map(session.hasAnswered) ?? true }
    /// Whether it logged in as an app.
    var isApp: Bool { farewellChannel == "log" }
    /// Whether it wants to hear of apps.
    var isPanel: Bool { session.channels.contains("log") }
  }

  private var clients: [StreamID: Client] = [:]
  private var outputs: [Output] = []
  /// Things that were wrong with what came, by their kind.
  private(set) var drops: [String: Int] = [:]

  mutating func takeOutputs() -> [Output] {
    defer { outputs = [] }
    return outputs
  }

  mutating func open(
    _ stream: StreamID, from peer: String, isGateway: Bool, id: String, at now: Duration
  ) {
    clients[stream] = Client(
      peer: peer, isGateway: isGateway, session: SocketClusterServerSession(id: id, now: now))
  }

  mutating func receive(
    _ message: InboundStreams.Message, from stream: StreamID, at now: Duration
  ) {
    switch message {
    case .text(let text): clients[stream]?.session.receive(text: text, at: now)
    case .binary(let bytes): clients[stream]?.session.receive(binary: bytes, at: now)
    }
    drain(stream)
  }

  mutating func closed(_ stream: StreamID) {
    guard let client = clients.removeValue(forKey: stream) else { return }
    if client.isPanel { outputs.append(.note(.panelLeft(client.peer))) }
    guard let channel = client.farewellChannel else { return }
    publish(["id": .string(client.session.id), "type": "DISCONNECTED"], on: channel)
  }

  var deadline: Duration? { clients.values.compactMap(\.session.deadline).min() }

  /// The clients for which something is due.
  func due(at now: Duration) -> [StreamID] {
    clients.filter { $0.value.session.deadline.map { $0 <= now } == true }.map(\.key)
  }

  mutating func advance(_ stream: StreamID, to now: Duration) {
    clients[stream]?.session.advance(to: now)
    drain(stream)
  }

  // MARK: Channels

  /// Those that want to hear of apps.
  var panels: [StreamID] { clients.filter(\.value.isPanel).map(\.key) }

  /// Sends a frame to every client that watches a channel.
  mutating func publish(_ frame: JSON, on channel: String, except excluded: StreamID? = nil) {
    let subscribers = clients.filter {
      $0.key != excluded && $0.value.session.channels.contains(channel)
    }
    guard !subscribers.isEmpty else { return }
    outputs.append(.write(Self.publication(frame, on: channel), Array(subscribers.keys)))
  }

  /// Whether a panel can take in another frame of an app. Otherwise it is owed the app's history: a
  /// panel draws all of one anew, and what waits for it is old by then.
  mutating func isReady(_ panel: StreamID, for app: SessionID) -> Bool {
    guard let client = clients[panel], !client.isReady else { return true }
    if !client.owed.contains(app) { clients[panel]?.owed.append(app) }
    return false
  }

  /// Whether a panel has read the history that it was sent last.
  func hasRead(_ panel: StreamID) -> Bool { clients[panel]?.isReady ?? true }

  /// A panel was sent a history; the next must wait until it has read this.
  mutating func wasSentHistory(_ panel: StreamID) {
    let ping = clients[panel]?.session.ping()
    clients[panel]?.awaited = ping
    drain(panel)
  }

  /// The app whose history we must send a panel now, if the panel is ready for one.
  mutating func takeOwed(_ panel: StreamID) -> SessionID? {
    guard let client = clients[panel], client.isReady, !client.owed.isEmpty else { return nil }
    return clients[panel]?.owed.removeFirst()
  }

  static func publication(_ frame: JSON, on channel: String) -> [UInt8] {
    let packet: JSON = [
      "event": "#publish", "data": ["channel": .string(channel), "data": frame],
    ]
    return WebSocketConnection.serverFrame(text: packet.bytes())
  }

  private mutating func drain(_ stream: StreamID) {
    // What is answered here comes out of the session, too.
    while let news = clients[stream]?.session.takeOutputs(), !news.isEmpty {
      for output in news { handle(output, stream) }
    }
  }

  private mutating func handle(_ output: SocketClusterServerSession.Output, _ stream: StreamID) {
    switch output {
    case .send(let text): outputs.append(.send(text, stream))
    case .close(let code, let reason):
      outputs.append(
        .close(stream, CloseCode(rawValue: UInt16(clamping: code)), reason: reason))
    case .opened, .unsubscribed: break
    case .invoke("login", let data, let cid): logIn(data, cid, stream)
    // Clients of version 1 number everything that they send.
    case .invoke(let event, let data, _): relay(event, data, from: stream)
    case .transmit(let event, let data): relay(event, data, from: stream)
    case .subscribed("log"):
      let peer = clients[stream]?.peer ?? ""
      outputs.append(.note(.panelConnected(from: peer, kind: "Redux DevTools")))
    case .subscribed: break
    }
  }

  /// An app logs in as "master", a panel as anything else. Each learns which channel to watch, and
  /// the other side hears of its end on its own channel.
  private mutating func logIn(_ data: JSON?, _ cid: Int, _ stream: StreamID) {
    let isApp = data == "master"
    clients[stream]?.farewellChannel = isApp ? "log" : "respond"
    clients[stream]?.session.respond(to: cid, data: isApp ? "respond" : "log")
  }

  private mutating func relay(_ event: String, _ data: JSON?, from stream: StreamID) {
    guard let data, let client = clients[stream] else { return }
    let id = client.session.id
    if event.hasPrefix("log"), client.isApp, !client.isGateway {
      outputs.append(.told(data, stream))
    }
    if event == "log-noid" {
      return publish(["id": .string(id), "data": data], on: "log", except: stream)
    }
    guard event == "log" || event == "respond" || event.hasPrefix("sc-") else {
      drops.count("unknown relay event")
      return
    }
    // Also for foreign apps that are connected here.
    publish(data, on: event)
    if event.hasPrefix("sc-") { deliver(data, to: String(event.dropFirst(3))) }
    outputs.append(.command(data, channel: event, stream))
  }

  /// Sends a frame once to an app, wherever it listens: on its own channel, or where its login told
  /// it to. Since version 2 of the protocol that is a channel; before, it was an event.
  mutating func tell(_ frame: JSON, to stream: StreamID) {
    guard let session = clients[stream]?.session else { return }
    let channel = ["sc-\(session.id)", "respond"].first(where: session.channels.contains)
    let packet: JSON = ["event": "respond", "data": frame]
    let bytes =
      channel.map { Self.publication(frame, on: $0) }
      ?? WebSocketConnection.serverFrame(text: packet.bytes())
    outputs.append(.write(bytes, [stream]))
  }

  /// Sends a frame to the app with this id, unless the app has it from its own channel.
  private mutating func deliver(_ frame: JSON, to id: String) {
    let match = clients.first { $0.value.session.id == id && $0.value.isApp }
    guard let (stream, client) = match, !client.session.channels.contains("sc-\(id)") else {
      return
    }
    tell(frame, to: stream)
  }
}
