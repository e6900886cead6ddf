import JSONTree
import SurfBasics
import SurfRelay
import SurfStreams
import SurfWeb
import SurfWire

/// The gateway's own SocketCluster relay. It does what `@redux-devtools/cli` does, and also
/// delivers `sc-<id>` to the client with that id, which the CLI has not done since its version 2
/// (reduxjs/redux-devtools#1340).
struct ClusterRelay {
  enum Output {
    case send(String, StreamID)
    case close(StreamID, CloseCode, reason: String)
    /// An encoded WebSocket frame for each of these streams.
    case write([UInt8], [StreamID])
    /// An app's frame about its history.
    case told(JSON, StreamID)
    /// A panel's frame: for every app on `respond`, for one on its own channel.
    case command(JSON, channel: String, StreamID)
    case note(GatewayNote)
  }

  private struct Client {
    let peer: String
    /// Whether another gateway dialed us for an app on its network.
    let isGateway: Bool
    var session: SocketClusterServerSession
    /// Where to publish that it left; nil until it logs in.
    var farewellChannel: String?

    /// The ping sent after the latest history, until the client answers it.
    var awaited: Int?
    /// Apps whose histories this client is owed, the longest wait first.
    var owed: [SessionID] = []

    /// Whether it has read the latest history that we sent.
    var isReady: Bool { awaited.map(session.hasAnswered) ?? true }
    var isApp: Bool { farewellChannel == "log" }
    /// Whether it subscribes to apps' frames.
    var isPanel: Bool { session.channels.contains("log") }
  }

  private var clients: [StreamID: Client] = [:]
  private var outputs: [Output] = []
  /// Counts of bad input, by kind.
  private(set) var drops: [String: Int] = [:]

  mutating func takeOutputs() -> [Output] { outputs.takeAll() }

  mutating func open(
    _ stream: StreamID, from peer: String, isGateway: Bool, id: String, at now: Duration
  ) {
    clients[stream] = Client(
      peer: peer, isGateway: isGateway, session: SocketClusterServerSession(id: id, now: now))
  }

  mutating func receive(_ message: WebMessage, from stream: StreamID, at now: Duration) {
    clients[stream]?.session.receive(message, at: now)
    drain(stream)
  }

  mutating func closed(_ stream: StreamID) {
    guard let client = clients.removeValue(forKey: stream) else { return }
    if client.isPanel { outputs.append(.note(.panelLeft(client.peer))) }
    guard let channel = client.farewellChannel else { return }
    publish(["id": .string(client.session.id), "type": "DISCONNECTED"], on: channel)
  }

  var deadline: Duration? { clients.values.compactMap(\.session.deadline).min() }

  /// Clients whose deadlines have passed.
  func due(at now: Duration) -> [StreamID] {
    clients.filter { $0.value.session.deadline.map { $0 <= now } == true }.map(\.key)
  }

  mutating func advance(_ stream: StreamID, to now: Duration) {
    clients[stream]?.session.advance(to: now)
    drain(stream)
  }

  // MARK: Channels

  /// Clients that subscribe to apps' frames.
  var panels: [StreamID] { clients.filter(\.value.isPanel).map(\.key) }

  /// Sends a frame to every subscriber of a channel.
  mutating func publish(_ frame: JSON, on channel: String, except excluded: StreamID? = nil) {
    let subscribers = clients.filter {
      $0.key != excluded && $0.value.session.channels.contains(channel)
    }
    guard !subscribers.isEmpty else { return }
    outputs.append(.write(Self.publication(frame, on: channel), Array(subscribers.keys)))
  }

  /// Whether a panel can take another frame of an app. If not, the panel is owed the app's history:
  /// it redraws everything for each frame, so queued frames would be stale.
  mutating func isReady(_ panel: StreamID, for app: SessionID) -> Bool {
    guard let client = clients[panel], !client.isReady else { return true }
    if !client.owed.contains(app) { clients[panel]?.owed.append(app) }
    return false
  }

  /// Whether a panel has read the latest history that we sent.
  func hasRead(_ panel: StreamID) -> Bool { clients[panel]?.isReady ?? true }

  /// Call after sending a panel a history. The next one waits until the panel has read it.
  mutating func wasSentHistory(_ panel: StreamID) {
    let ping = clients[panel]?.session.ping()
    clients[panel]?.awaited = ping
    drain(panel)
  }

  /// Removes and returns the next app whose history the panel is owed, if the panel is ready.
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
    // Handling an output may make the session put out more.
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
    case .invoke("login", let data, let cid): logIn(data, cid, stream)
    // Clients of version 1 give every event a call id.
    case .invoke(let event, let data, _): relay(event, data, from: stream)
    case .transmit(let event, let data): relay(event, data, from: stream)
    case .subscribed("log"):
      let peer = clients[stream]?.peer ?? ""
      outputs.append(.note(.panelConnected(from: peer, kind: "Redux DevTools")))
    case .subscribed: break
    }
  }

  /// An app logs in as "master", a panel as anything else. Each side learns which channel to watch.
  /// The relay reports there when a client of the other side leaves.
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
    // Other apps connected to this relay get it, too.
    publish(data, on: event)
    if event.hasPrefix("sc-") { deliver(data, to: String(event.dropFirst(3))) }
    outputs.append(.command(data, channel: event, stream))
  }

  /// Sends a frame once to an app: on its own channel or on the one that its login named. Since
  /// version 2 of the protocol these are channels; before, `respond` was an event.
  mutating func tell(_ frame: JSON, to stream: StreamID) {
    guard let session = clients[stream]?.session else { return }
    let channel = ["sc-\(session.id)", "respond"].first(where: session.channels.contains)
    let packet: JSON = ["event": "respond", "data": frame]
    let bytes =
      channel.map { Self.publication(frame, on: $0) }
      ?? WebSocketConnection.serverFrame(text: packet.bytes())
    outputs.append(.write(bytes, [stream]))
  }

  /// Sends a frame to the app with this id, unless the app's own channel has delivered it.
  private mutating func deliver(_ frame: JSON, to id: String) {
    let match = clients.first { $0.value.session.id == id && $0.value.isApp }
    guard let (stream, client) = match, !client.session.channels.contains("sc-\(id)") else {
      return
    }
    tell(frame, to: stream)
  }
}
