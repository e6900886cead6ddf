import JSONTree
import SurfGateway
import SurfObserver
import SurfRelay
import SurfStreams
import SurfWeb
import SurfWire
import Synchronization
import TestSupport

/// A gateway in memory, with apps made by hand and panels that speak to it.
final class Bench {
  var machine: GatewayMachine
  private let asked: Asked
  private var streams = StreamIDs.accepting
  private(set) var panels: [StreamID: Panel] = [:]
  var inspectorPeers: [StreamID: InspectorPeer] = [:]
  private(set) var closed: [StreamID] = []
  private(set) var written: [StreamID: [UInt8]] = [:]
  var now = Duration.zero
  /// Whether the machine sees guests' requests as carried out immediately.
  var carriesOut = true
  /// Octets of guests' messages that wait to be carried out.
  var uncarried: Int { asked.uncarried.withLock(\.self) }

  private final class Asked: Sendable {
    let requests = Mutex<[GatewayRequest]>([])
    let uncarried = Mutex(0)

    func take(_ new: [GatewayRequest]) {
      for request in new {
        if case .report(let size) = request {
          uncarried.withLock { $0 += size }
        } else {
          requests.withLock { $0.append(request) }
        }
      }
    }
  }

  init(_ configuration: GatewayConfiguration = GatewayConfiguration()) {
    let asked = Asked()
    self.asked = asked
    let random = Mutex(SeededGenerator(seed: 0))
    machine = GatewayMachine(
      configuration: configuration,
      random: { random.withLock { $0.next() } },
      wallTime: { 1_700_000_000_000 },
      perform: { asked.take($0) })
  }

  /// What the gateway asked of apps, and said, since the last call.
  ///
  /// - Parameter takesTurns: whether what waits for its turn is heard before.
  func takeRequests(takesTurns: Bool = true) -> [GatewayRequest] {
    if takesTurns { pump() }
    return asked.requests.withLock { requests in
      defer { requests = [] }
      return requests
    }
  }

  /// What guests asked for so far is carried out.
  func carryOut() {
    let size = asked.uncarried.withLock { size in
      defer { size = 0 }
      return size
    }
    machine.receive(.carried(size), at: now)
  }

  // MARK: Apps

  static func heartbeat(
    _ app: String, control: Heartbeat.Control = .allCommands
  ) -> Heartbeat {
    Heartbeat(
      instance: InstanceID(high: 1, low: 2), app: app, host: "here", processID: 7,
      contentType: "application/json", acceptsResets: true, control: control,
      datagramSize: 1_472)
  }

  func appear(_ session: SessionID, _ app: String = "Todo") {
    observe(.appeared(session, Self.heartbeat(app)))
    observe(.caughtUp(session))
    // As an app of before that knows no such command.
    machine.receive(.answer(session, .answered(.rejected(reason: "?"), .initial)), at: now)
    pump()
  }

  func record(_ row: SequenceNumber, of session: SessionID, state: String? = nil) {
    let bytes = Array((state ?? "{\"n\":\(row)}").utf8)
    observe(
      .record(
        session,
        Record(
          sequence: row, kind: .action, name: "add(\(row))",
          payload: Content(
            type: "application/json", bytes: Array("{\"add\":{\"_0\":\(row)}}".utf8)),
          state: .keyframe(Content(type: "application/json", bytes: bytes)))))
  }

  /// An app's answer to "describe".
  static func description(_ row: SequenceNumber, initial: String) -> Record {
    let text = #"{"command":"describe","viewer":"x","exact":true,"initial":\#(initial)}"#
    return Record(
      sequence: row, kind: .revision, name: "initial state asked for by x",
      payload: Content(type: "application/json", bytes: Array(text.utf8)))
  }

  func observe(_ event: ObserverEvent) {
    machine.receive(.observer(event), at: now)
    pump()
  }

  // MARK: Streams

  static let loopback = TCPAddress(.v4(0x7f00_0001), port: 9)

  func open(at local: TCPAddress = loopback) -> StreamID {
    let stream = streams.next()
    machine.receive(.accepted(stream, peer: Self.loopback, local: local), at: now)
    return stream
  }

  func send(_ bytes: [UInt8], on stream: StreamID) {
    machine.receive(.received(stream, bytes), at: now)
    pump()
  }

  func drain(_ stream: StreamID) {
    machine.receive(.drained(stream), at: now)
    pump()
  }

  func advance(by duration: Duration) {
    now += duration
    machine.advance(to: now)
    pump()
  }

  /// A panel that has logged in and watches the log.
  func panel() -> Panel {
    let panel = Panel(stream: open(), bench: self)
    panels[panel.stream] = panel
    panel.begin()
    return panel
  }

  func add(_ panel: Panel) { panels[panel.stream] = panel }

  private func pump() {
    // As the loop does: until all have had their turns.
    var actions = takeActions()
    while !actions.isEmpty {
      for action in actions {
        switch action {
        case .write(let stream, let bytes):
          written[stream, default: []] += bytes
          panels[stream]?.receive(bytes)
          inspectorPeers[stream]?.receive(bytes)
        case .closeAfterWriting(let stream), .abort(let stream): closed.append(stream)
        case .connect, .hold, .release: break
        }
      }
      actions = takeActions()
    }
  }

  private func takeActions() -> [StreamAction] {
    repeat {
      while machine.isBehind { machine.takeTurns(at: now) }
      machine.performRequests()
      if carriesOut { carryOut() }
    } while machine.isBehind
    return machine.takeActions()
  }
}

/// The client's side of a panel's connection.
final class Panel {
  let stream: StreamID
  private unowned let bench: Bench
  private var socket: WebSocketConnection?
  private var client: SocketClusterClient
  private let handshake: WebSocketHandshake.ClientHandshake
  private var parser = HTTPResponseParser()
  /// The frames published on `log`.
  private(set) var frames: [JSON] = []
  /// Whether it draws, and reads nothing meanwhile.
  private(set) var isDrawing = false
  private(set) var unread: [String] = []

  init(stream: StreamID, bench: Bench) {
    self.stream = stream
    self.bench = bench
    handshake = WebSocketHandshake.ClientHandshake(
      host: "localhost:9", path: "/socketcluster/", key: SIMD16(repeating: 1))
    client = SocketClusterClient(now: bench.now)
  }

  var types: [String] { frames.map { $0["type"]?.text ?? "?" } }

  func begin() {
    bench.send(handshake.request.encoded(), on: stream)
    client.invoke(event: "login", data: [:], at: bench.now)
    client.subscribe(channel: "log", at: bench.now)
    flush()
  }

  /// Acts as an app of another make, with a name to log in with and channels to watch. Its own
  /// channel is `sc`.
  func begin(as name: JSON, watching channels: [String]) {
    login = (name, channels)
    bench.send(handshake.request.encoded(), on: stream)
    flush()
  }

  private var login: (name: JSON, channels: [String]) = ([:], ["log"])
  /// The name that the gateway has given it.
  private(set) var id = ""
  /// The channels of received messages, and the names of other events.
  private(set) var published: [String] = []
  /// The commands published for apps since the last call.
  private var commands: [JSON] = []
  private(set) var events: [String] = []

  /// Reads nothing more.
  func draw() { isDrawing = true }

  /// Reads one message.
  func readOne() {
    guard !unread.isEmpty else { return }
    client.receive(.text(unread.removeFirst()), at: bench.now)
    flush()
  }

  /// Reads everything that has arrived, and later messages too.
  func wake() {
    isDrawing = false
    while !unread.isEmpty { readOne() }
  }

  func transmit(_ channel: String, _ frame: JSON) {
    client.transmit(event: channel, data: frame)
    flush()
  }

  /// The last whole history that it received.
  var lifted: JSON {
    get throws {
      let text = frames.last { $0["type"] == "STATE" }?["payload"]?.text ?? ""
      return try JSON(parsing: text)
    }
  }

  func takeCommands() -> [JSON] {
    defer { commands = [] }
    return commands
  }

  func takeFrames() -> [JSON] {
    defer { frames = [] }
    return frames
  }

  func receive(_ bytes: [UInt8]) {
    do {
      var bytes = bytes
      if socket == nil {
        try parser.receive(bytes)
        guard let response = try parser.next() else { return }
        try handshake.check(response)
        socket = WebSocketConnection(
          role: .client(maskingKey: { 7 }), limits: WebSocketLimits(messageBytes: 1 << 28))
        bytes = parser.takeRemaining()
      }
      for case .text(let text) in socket?.receive(bytes) ?? [] {
        if isDrawing { unread.append(text) } else { client.receive(.text(text), at: bench.now) }
      }
      flush()
    } catch {
      fatalError("the gateway's answer: \(error)")
    }
  }

  private func flush() {
    for output in client.takeOutputs() {
      switch output {
      case .send(let text): socket?.send(.text(text))
      case .connected(let id):
        self.id = id
        client.invoke(event: "login", data: login.name, at: bench.now)
        for channel in login.channels {
          let channel = channel == "sc" ? "sc-\(id)" : channel
          client.subscribe(channel: channel, at: bench.now)
        }
        flush()
      case .published("log", let data?): frames.append(data)
      case .published(let channel, let data):
        published.append(channel)
        if let data { commands.append(data) }
      case .event(let name, _): events.append(name)
      default: break
      }
    }
    let bytes = socket?.takeOutput() ?? []
    if !bytes.isEmpty { bench.send(bytes, on: stream) }
  }
}

extension JSON {
  var text: String? { string }
}

extension ObserverEvent {
  /// A live record with a whole state.
  static func record(_ session: SessionID, _ record: Record) -> ObserverEvent {
    .record(session, ArrivedRecord(record))
  }
}
