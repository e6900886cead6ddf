import JSONTree
import ReduxDevTools
import SurfBasics
import SurfRelay
import SurfStreams
import SurfWeb
import SurfWire

/// The gateway's own RemoteInspector relay, from every app to every front end
/// (Relay.md, RemoteInspector messages).
struct InspectorRelay {
  enum Output {
    /// An encoded WebSocket frame for those of these front ends that keep up.
    case publish([UInt8], [StreamID])
    /// A frame that a front end must get even if it is behind.
    case write([UInt8], StreamID)
    case request(GatewayRequest)
  }

  private var clients: [StreamID: InspectorClient] = [:]
  private var apps: [SessionID: InspectedApp] = [:]
  /// Apps that left, the latest last: one that returns does not send its values again.
  private var away: [(session: SessionID, app: InspectedApp)] = []
  /// The upper half of our guests' ids, which identifies them as ours.
  private let guestsHigh: UInt64
  private let random: @Sendable () -> UInt64
  private var arrivals: UInt64 = 0
  private var complaints = Allowance()
  private var outputs: [Output] = []
  /// Counts of bad input, by kind.
  private(set) var drops: [String: Int] = [:]

  init(guestsHigh: UInt64, random: @escaping @Sendable () -> UInt64) {
    self.random = random
    self.guestsHigh = guestsHigh
  }

  mutating func takeOutputs() -> [Output] { outputs.takeAll() }

  private mutating func request(_ request: GatewayRequest) { outputs.append(.request(request)) }

  private mutating func nextArrival() -> UInt64 {
    arrivals += 1
    return arrivals
  }

  // MARK: Clients

  mutating func open(_ stream: StreamID, from peer: TCPAddress?, name: String?) {
    clients[stream] = InspectorClient(name: name, peer: peer)
  }

  mutating func closed(_ stream: StreamID) {
    guard let client = clients.removeValue(forKey: stream) else { return }
    if client.isFrontEnd { request(.note(.panelLeft(client.peerText))) }
    if let instance = client.standing.instance { request(.withdraw(instance)) }
  }

  mutating func receive(_ message: WebMessage, from stream: StreamID, at now: Duration) {
    let bytes =
      switch message {
      case .text(let text): Array(text.utf8)
      case .binary(let bytes): bytes
      }
    do throws(InspectorFault) {
      hear(try InspectorMessage(parsing: bytes), stream)
    } catch {
      complain(of: error, stream, at: now)
    }
  }

  private mutating func hear(_ message: InspectorMessage, _ stream: StreamID) {
    switch message.meaning {
    case .subscribe: return subscribe(stream)
    case .update(let id, _):
      let frame = InspectorFrame(bytes: message.bytes, arrival: nextArrival())
      clients[stream]?.values.set(
        id, to: frame, size: frame.bytes.count, sequence: frame.arrival)
      if clients[stream]?.values.size ?? 0 > Self.sizeUnchecked { boundValues() }
    case .log: break
    }
    publish(message.bytes)
    guard let step = message.meaning.step else { return }
    announce(stream)
    if let instance = clients[stream]?.standing.instance { request(.tell(instance, step)) }
  }

  /// All clients together stay within the limit while each has no more than this.
  private static let sizeUnchecked =
    GatewayLimits.inspectorSizeMax / (2 * GatewayLimits.streamCountMax)

  /// Drops values until they are within the limit: first all of the apps that left longest ago,
  /// then half of the largest client's or app's.
  private mutating func boundValues() {
    while total > GatewayLimits.inspectorSizeMax {
      if !away.isEmpty {
        away.removeFirst()
      } else if let largest = clients.max(by: { $0.value.values.size < $1.value.values.size }),
        largest.value.values.size >= apps.values.map(\.size).max() ?? 0
      {
        clients[largest.key]?.values.shrink(to: largest.value.values.size / 2)
      } else if let largest = apps.max(by: { $0.value.size < $1.value.size }) {
        apps[largest.key]?.shrink()
      }
    }
  }

  private var total: Int {
    clients.values.reduce(0) { $0 + $1.values.size } + apps.values.reduce(0) { $0 + $1.size }
      + away.reduce(0) { $0 + $1.app.size }
  }

  /// Reports a fault once for each kind and client, and not so often that it fills a terminal.
  private mutating func complain(
    of fault: InspectorFault, _ stream: StreamID, at now: Duration
  ) {
    drops.count("RemoteInspector message: \(fault.kind)")
    guard clients[stream]?.toldFaults.insert(fault.kind).inserted == true, complaints.take(at: now)
    else { return }
    let peer = clients[stream]?.peerText ?? ""
    request(.note(.unreadable(from: peer, reason: "\(fault)")))
  }

  private mutating func announce(_ stream: StreamID) {
    guard let client = clients[stream], client.standing == .unheard else { return }
    guard clients.values.count(where: { $0.standing.instance != nil }) < GatewayLimits.guestCountMax
    else {
      clients[stream]?.standing = .leftOut
      return drops.count("RemoteInspector app not announced: too many")
    }
    let instance = InstanceID(high: guestsHigh, low: random())
    clients[stream]?.standing = .announced(instance)
    request(
      .announce(
        GuestAnnouncement(
          instance: instance, app: client.name,
          host: client.peer?.isLoopback == true ? nil : client.peer?.hostText ?? "",
          port: client.peer?.port ?? 0)))
  }

  // MARK: Front ends

  private var frontEnds: [StreamID] { clients.filter(\.value.isFrontEnd).map(\.key) }

  private mutating func publish(_ message: [UInt8]) {
    let frontEnds = frontEnds
    guard !frontEnds.isEmpty else { return }
    outputs.append(.publish(WebSocketConnection.serverFrame(text: message), frontEnds))
  }

  private mutating func subscribe(_ stream: StreamID) {
    guard let client = clients[stream], !client.isFrontEnd else { return }
    clients[stream]?.isFrontEnd = true
    request(.note(.panelConnected(from: client.peerText, kind: "RemoteInspector")))
    showAll(to: stream)
  }

  /// Sends the latest value of every id, in order of arrival.
  private mutating func showAll(to stream: StreamID) {
    let frames =
      clients.values.flatMap { $0.values.inOrder.map(\.value) }
      + apps.values.flatMap { $0.values.inOrder.map(\.value) + [$0.state].compactMap(\.self) }
    for frame in frames.sorted(by: { $0.arrival < $1.arrival }) {
      outputs.append(.write(WebSocketConnection.serverFrame(text: frame.bytes), stream))
    }
  }

  /// Call when a front end has caught up: it gets the current values.
  mutating func catchUp(_ stream: StreamID) {
    guard clients[stream]?.isFrontEnd == true else { return }
    let notice = InspectorMessage.log(
      "StateSurf: this front end was too slow; log lines were left out", level: "warn",
      attributes: nil)
    outputs.append(.write(WebSocketConnection.serverFrame(text: notice), stream))
    showAll(to: stream)
  }

  // MARK: Apps of the network

  mutating func appeared(_ session: SessionID, _ heartbeat: Heartbeat) {
    // Front ends get a guest's own messages.
    guard apps[session] == nil, heartbeat.instance.high != guestsHigh else { return }
    if let index = away.firstIndex(where: { $0.session == session }) {
      apps[session] = away.remove(at: index).app
      return
    }
    let isTaken = apps.values.contains { $0.label == heartbeat.app }
    let label = isTaken ? "\(heartbeat.app)#\(heartbeat.processID)" : heartbeat.app
    apps[session] = InspectedApp(label: label)
  }

  /// Call when an app has left. Front ends keep showing its values, which may say why it left.
  mutating func gone(_ session: SessionID) {
    guard let app = apps.removeValue(forKey: session) else { return }
    away.append((session, app))
    if away.count > GatewayLimits.absentCountMax { away.removeFirst() }
  }

  /// Call when the app may be in another state.
  mutating func touch(_ session: SessionID) { apps[session]?.touch() }

  /// Passes a record on to front ends. Its payload must be whole, not a delta.
  mutating func receive(_ record: Record, isNew: Bool, of session: SessionID) {
    switch record.kind {
    case .update: update(record, of: session)
    case .remove: remove(record, of: session)
    case .log(let level) where isNew && apps[session] != nil:
      publish(
        InspectorMessage.log(
          record.name, level: level.consoleName, attributes: record.payload?.jsonBytes))
    case .action, .log, .mark, .revision, .restored, .other: break
    }
  }

  private mutating func update(_ record: Record, of session: SessionID) {
    let arrival = nextArrival()
    let frame = change(session) { app in
      let data = record.payload?.jsonBytes ?? Array("null".utf8)
      let bytes = InspectorMessage.update(id: app.id(of: record.name), data: data)
      let isNewest = app.values.set(
        record.name, to: InspectorFrame(bytes: bytes, arrival: arrival), size: bytes.count,
        sequence: record.sequence.rawValue)
      return isNewest ? bytes : nil
    }
    guard let frame, let frame else { return }
    if apps[session]?.size ?? 0 > Self.sizeUnchecked { boundValues() }
    if change(session, { $0.hideState() }) == true, let label = apps[session]?.label {
      publish(InspectorMessage.update(id: label, data: Array("null".utf8)))
    }
    publish(frame)
  }

  /// Sends null for each removed id: the protocol has no message for a removal.
  private mutating func remove(_ record: Record, of session: SessionID) {
    let ids = change(session) { app in
      app.values.remove(record.name, sequence: record.sequence.rawValue).map(app.id)
    }
    for id in ids ?? [] { publish(InspectorMessage.update(id: id, data: Array("null".utf8))) }
  }

  private mutating func change<Result>(
    _ session: SessionID, _ body: (inout InspectedApp) -> Result
  ) -> Result? {
    guard let index = apps.index(forKey: session) else { return nil }
    return body(&apps.values[index])
  }

  // MARK: States of apps

  /// Nil while there is no front end to show states to.
  var deadline: Duration? {
    frontEnds.isEmpty ? nil : apps.values.compactMap(\.deadline).min()
  }

  /// The apps whose states are due to be shown.
  func due(at now: Duration) -> [SessionID] {
    guard deadline.map({ $0 <= now }) == true else { return [] }
    return apps.filter { $0.value.deadline.map { $0 <= now } == true }.map(\.key)
  }

  mutating func show(_ state: Content?, of session: SessionID, at now: Duration) {
    let arrival = nextArrival()
    let isNews = change(session) { $0.show(state?.jsonBytes, arrival: arrival, at: now) }
    if isNews == true, let frame = apps[session]?.state { publish(frame.bytes) }
    if apps[session]?.size ?? 0 > Self.sizeUnchecked { boundValues() }
  }
}

/// Allows 20 complaints in a row, and one more each second.
private struct Allowance {
  private var paidAt = Duration.zero
  private static let burst = Duration.seconds(20)

  mutating func take(at now: Duration) -> Bool {
    guard paidAt < now + Self.burst else { return false }
    paidAt = max(paidAt, now) + .seconds(1)
    return true
  }
}

/// One app of the network as `InspectorRelay` shows it to front ends.
struct InspectedApp {
  /// The prefix of the app's ids.
  let label: String
  var values = LiveValues<InspectorFrame>()
  /// Its state, shown in place of values while it has none.
  private(set) var state: InspectorFrame?
  private var stateBytes: [UInt8] = []
  /// Whether its state may have changed since it was shown.
  private var isStale = true
  private var nextStateAt = Duration.zero

  init(label: String) { self.label = label }

  func id(of value: String) -> String { "\(label)/\(value)" }

  mutating func touch() { isStale = true }

  /// When its state may be shown again; nil if it has not changed, or values are shown instead.
  var deadline: Duration? { isStale && values.isEmpty ? nextStateAt : nil }

  /// Takes its current state.
  ///
  /// - Parameter bytes: JSON; nil if the state is not known.
  /// - Returns: whether to send it to front ends.
  mutating func show(_ bytes: [UInt8]?, arrival: UInt64, at now: Duration) -> Bool {
    isStale = false
    nextStateAt = now + GatewayLimits.inspectorInterval
    guard let bytes, bytes.count <= InspectorLimits.messageSizeMax,
      state == nil || bytes != stateBytes
    else { return false }
    stateBytes = bytes
    state = InspectorFrame(
      bytes: InspectorMessage.update(id: label, data: bytes), arrival: arrival)
    return true
  }

  /// Octets kept for it.
  var size: Int { values.size + stateBytes.count + (state?.bytes.count ?? 0) }

  /// Drops the state and half of the values: front ends that connect later do not get them.
  mutating func shrink() {
    (state, stateBytes) = (nil, [])
    values.shrink(to: values.size / 2)
  }

  /// Call once the app has values, which are shown in place of the state.
  ///
  /// - Returns: whether the state was shown until now.
  mutating func hideState() -> Bool {
    defer { (state, stateBytes, isStale) = (nil, [], true) }
    return state != nil
  }
}

/// One client of `InspectorRelay`: an app, a front end, or both.
struct InspectorClient {
  let name: String
  let peer: TCPAddress?
  /// Whether it has subscribed, and receives every message.
  var isFrontEnd = false
  /// The latest values that it sent, if it is an app.
  var values = LiveValues<InspectorFrame>()
  var standing = Standing.unheard
  /// Kinds of faults that have been reported to a person.
  var toldFaults: Set<String> = []

  /// Whether the network of apps knows it.
  enum Standing: Equatable {
    case unheard
    case announced(InstanceID)
    case leftOut

    var instance: InstanceID? { if case .announced(let instance) = self { instance } else { nil } }
  }

  init(name: String?, peer: TCPAddress?) {
    self.name = name ?? "RemoteInspector"
    self.peer = peer
  }

  var peerText: String { peer.map { "\($0)" } ?? "" }
}

/// An encoded message, and its place in the order of arrival over all apps.
struct InspectorFrame {
  let bytes: [UInt8]
  let arrival: UInt64
}

extension InspectorMessage.Meaning {
  /// The step to record on the network; nil if the message concerns the relay alone.
  var step: GuestStep? {
    switch self {
    case .subscribe: return nil
    case .update(let id, let data): return .update(id: id, data: data.bytes())
    case .log(let message, let name):
      let level = LogLevel(consoleName: name)
      // As with an app's own logger, an unknown level becomes part of the text.
      let mark = level == nil ? "[\(name)] " : ""
      let text = message.string
      return .log(
        level ?? .info, mark + (text ?? message.text()),
        details: text == nil ? message.bytes() : nil)
    }
  }
}
