import JSONTree
import ReduxDevTools
import SurfBasics
import SurfObserver
import SurfStreams
import SurfWire

/// The apps that are here, and those that were.
struct AppDirectory {
  enum Output {
    case request(GatewayRequest)
    /// An app can be shown to panels, and to relays.
    case shown(SessionID)
    case message(PanelMessage, SessionID)
    case left(SessionID, connection: String)
  }

  private let bounds: PanelInstance.Bounds
  private let wallTime: @Sendable () -> Int64
  private var apps: [SessionID: GatewayApp] = [:]
  /// Those that fell silent or said goodbye, and may come back under the same session.
  private var away = AbsentApps()
  private var outputs: [Output] = []
  /// Things that were wrong with what came, by their kind.
  private(set) var drops: [String: Int] = [:]

  init(_ configuration: GatewayConfiguration, wallTime: @escaping @Sendable () -> Int64) {
    var bounds = PanelInstance.Bounds()
    bounds.rowCountMax = configuration.rowCountMax
    bounds.byteCountMax = configuration.byteCountMax
    bounds.frameSizeMax = GatewayLimits.frameSizeMax
    self.bounds = bounds
    self.wallTime = wallTime
  }

  mutating func takeOutputs() -> [Output] {
    defer { outputs = [] }
    return outputs
  }

  private mutating func drop(_ kind: String) { drops.count(kind) }
  private mutating func request(_ request: GatewayRequest) { outputs.append(.request(request)) }

  // MARK: Who is here

  subscript(session: SessionID) -> GatewayApp? { apps[session] }

  var sessions: [SessionID] { Array(apps.keys) }
  /// The apps that may be shown.
  var loaded: [GatewayApp] { apps.values.filter(\.instance.isLoaded) }

  func app(on connection: String) -> GatewayApp? {
    apps.values.first { $0.connection == connection }
  }

  /// Changes an app that is here, and collects what follows.
  ///
  /// - Returns: nil if the app is not here.
  @discardableResult
  mutating func change<Result>(
    _ session: SessionID, _ body: (inout GatewayApp) -> Result
  ) -> Result? {
    guard let index = apps.index(forKey: session) else { return nil }
    defer { outputs += apps.values[index].takeOutputs() }
    return body(&apps.values[index])
  }

  /// A panel is gone.
  mutating func forget(panel: StreamID) {
    for index in apps.values.indices { apps.values[index].forget(panel) }
  }

  var deadline: Duration? { apps.values.compactMap(\.deadline).min() }

  mutating func advance(to now: Duration) {
    for session in sessions { change(session) { $0.advance(to: now) } }
  }

  // MARK: They come and go

  mutating func welcome(
    _ session: SessionID, _ heartbeat: Heartbeat, isNew: Bool, at now: Duration
  ) {
    guard apps[session] == nil else { return }
    guard var app = away.take(session) else {
      return appear(session, heartbeat, isNew: isNew, at: now)
    }
    request(.note(.appeared(app: app.instance.name, host: heartbeat.host)))
    let isLoaded = app.instance.isLoaded
    if !isLoaded { app.loadAgain(at: now) }
    apps[session] = app
    // What it did meanwhile, and what was under way when it fell silent, comes in order behind what
    // is here: the observer asks for nothing twice, unless it has forgotten the app.
    if isNew || !isLoaded { follow(session) }
    if isLoaded { outputs.append(.shown(session)) }
  }

  private mutating func appear(
    _ session: SessionID, _ heartbeat: Heartbeat, isNew: Bool, at now: Duration
  ) {
    // New for each run of an app: a panel forgets an id that it saw leave.
    let id = String(session.rawValue, radix: 16)
    let instance = PanelInstance(
      id: id, heartbeat: heartbeat, bounds: bounds, appearedAt: wallTime())
    apps[session] = GatewayApp(
      instance, session, stamp: heartbeat.stamp, isForgotten: !isNew, at: now)
    request(.note(.appeared(app: instance.name, host: heartbeat.host)))
    follow(session)
  }

  private mutating func follow(_ session: SessionID) {
    request(.follow(session, .last(WireCount(bounds.rowCountMax))))
  }

  /// The app is silent, or said goodbye; its history is kept, because it may come back.
  ///
  /// - Parameter isGuest: whether it is a guest of ours, and does not come back under its session.
  mutating func leave(_ session: SessionID, isGuest: Bool) {
    guard var app = apps.removeValue(forKey: session) else { return }
    app.leave()
    app.change { $0.restHeads(all: false) }
    outputs += app.takeOutputs()
    request(.note(.left(app: app.instance.name)))
    outputs.append(.left(session, connection: app.connection))
    if !isGuest { away.put(app) }
  }

  // MARK: What they tell

  mutating func note(_ heartbeat: Heartbeat, of session: SessionID) {
    tell(session) { $0.note(heartbeat) }
    change(session) { $0.settleDebt() }
  }

  mutating func note(_ restored: Restored, of session: SessionID, at now: Duration) {
    tell(session) { $0.note(restored) }
    change(session) { app in
      app.noteMove(restored, at: now)
      app.settleDebt()
    }
  }

  mutating func receive(_ arrived: ArrivedRecord, of session: SessionID) {
    tell(session) { $0.receive(arrived) }
    let size = apps[session]?.instance.headByteCount ?? 0
    if size > Self.headSizeUnchecked { boundHeads(but: session) }
    let ownSize = apps[session]?.instance.byteCount ?? 0
    if ownSize > Self.historySizeUnchecked { boundHistories() }
  }

  /// With so much each, the most apps that are followed have no more together than they may.
  private static let historySizeUnchecked = GatewayLimits.historySizeMax / 512

  var historySize: Int { apps.values.reduce(away.size) { $0 + $1.instance.byteCount } }

  /// The largest gives up the oldest half of its own.
  private mutating func boundHistories() {
    while apps.values.reduce(0, { $0 + $1.instance.byteCount }) > GatewayLimits.historySizeMax,
      let (session, app) = apps.max(by: {
        $0.value.instance.byteCount < $1.value.instance.byteCount
      })
    {
      change(session) { $0.change { $0.trim(toBytes: app.instance.byteCount / 2) } }
    }
  }

  /// Octets of the newest states, over all apps: two of the largest fit. A false app makes such a
  /// state with a few octets (Protocol.md §15).
  private static let headSizeMax = 2 * Limits.contentSizeMax
  /// With so much each, the most apps that are followed have little more together.
  private static let headSizeUnchecked = 1 << 20

  /// The largest give up theirs first, that of an app that has just got a state last.
  private mutating func boundHeads(but session: SessionID) {
    var rest = apps.mapValues(\.instance.headByteCount)
    var total = rest.values.reduce(0, +)
    let newest = rest.removeValue(forKey: session) ?? 0
    for (holder, size) in rest.sorted(by: { $0.value > $1.value }) where total > Self.headSizeMax {
      change(holder) { $0.change { $0.restHeads(all: true) } }
      total -= size
    }
    guard total > Self.headSizeMax, newest > 0 else { return }
    change(session) { $0.change { $0.restHeads(all: true) } }
  }

  mutating func lose(_ range: ClosedRange<SequenceNumber>, of session: SessionID, at now: Duration)
  {
    learn(session) { $0.lose(range) }
    change(session) { $0.refetched(range, at: now) }
  }

  mutating func retract(from first: SequenceNumber, of session: SessionID) {
    learn(session) { $0.retract(from: first) }
  }

  /// The app's answer to a panel's request.
  mutating func receive(_ answer: ResetAnswer, of session: SessionID) {
    if change(session, { $0.receive(answer) }) == nil { drop("an answer of who is away") }
  }

  /// Changes what is known of an app, whether it is here or away.
  private mutating func learn(_ session: SessionID, _ body: (inout PanelInstance) -> Void) {
    if change(session, { $0.change(body) }) == nil { away.change(session) { $0.change(body) } }
  }

  private mutating func tell(
    _ session: SessionID, _ body: (inout PanelInstance) -> [PanelMessage]
  ) {
    // Panels hear nothing of an app that is away.
    if change(session, { $0.tell(body) }) == nil { away.change(session) { _ = $0.change(body) } }
  }

  // MARK: What panels ask

  /// A panel's frame for one app.
  mutating func obey(
    _ frame: JSON, _ session: SessionID, from stream: StreamID?, hasRead: Bool = true,
    at now: Duration
  ) {
    guard let command = PanelCommand(frame) else { return drop("unreadable panel frame") }
    if case .unknown = command { drop("unknown panel command") }
    if case .unreadable = command { drop("unreadable panel command") }
    if change(session, { $0.obey(command, from: stream, hasRead: hasRead, at: now) }) == nil {
      drop("unknown instance")
    }
  }

  /// A panel's frame for any app: it names an instance, or passes on the state of one to the
  /// others.
  mutating func obeyBroadcast(
    _ frame: JSON, from stream: StreamID?, hasRead: Bool = true, at now: Duration
  ) {
    if frame["type"]?.string == "SYNC" { return synchronize(frame, from: stream, at: now) }
    guard let session = addressee(of: frame) else { return drop("unknown instance") }
    obey(frame, session, from: stream, hasRead: hasRead, at: now)
  }

  /// A panel's frame for the app that it is sent to, which it may name as well.
  ///
  /// - Returns: false if it names another app.
  mutating func isFor(_ app: GatewayApp, _ frame: JSON) -> Bool {
    if let id = frame["instanceId"], id.string != app.instance.id {
      drop("unknown instance")
      return false
    }
    return true
  }

  private func addressee(of frame: JSON) -> SessionID? {
    guard let id = frame["instanceId"] else {
      // A Socket.IO relay may name no app (Protocol.md §B.4): with one app there is no doubt.
      return apps.count == 1 ? apps.keys.first : nil
    }
    return apps.first { $0.value.instance.id == id.string }?.key
  }

  /// The other instances of the same program take over what one of them did. Never its own: the
  /// panel would pass that on again, without end.
  private mutating func synchronize(_ frame: JSON, from stream: StreamID?, at now: Duration) {
    guard let state = frame["state"], let source = addressee(of: frame),
      let app = apps[source]?.instance.heartbeat.app
    else { return drop("unknown instance") }
    let others = apps.filter { $0.key != source && $0.value.instance.heartbeat.app == app }.keys
    for other in others { obey(["type": "IMPORT", "state": state], other, from: stream, at: now) }
  }
}
