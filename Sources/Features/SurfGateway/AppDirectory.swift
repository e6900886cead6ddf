import JSONTree
import ReduxDevTools
import SurfBasics
import SurfReceiving
import SurfStreams
import SurfTimeline
import SurfWire

/// Keeps, for `GatewayMachine`, the apps that are present and the histories of those that left.
struct AppDirectory {
  enum Output {
    case request(GatewayRequest)
    /// The app has loaded, and can be shown to panels and relays.
    case shown(SessionID)
    case message(PanelMessage, SessionID)
    case left(SessionID, connection: String)
  }

  private let bounds: PanelInstance.Bounds
  private let wallTime: @Sendable () -> Int64
  private var apps: [SessionID: GatewayApp] = [:]
  /// Apps that fell silent or said goodbye, and may come back under the same session.
  private var away = AbsentApps()
  /// Knows which run follows which. Its timelines stay empty.
  private var runs = Catalog()
  private var outputs: [Output] = []
  /// Counts of bad input, by kind.
  private(set) var drops: [String: Int] = [:]

  init(_ configuration: GatewayConfiguration, wallTime: @escaping @Sendable () -> Int64) {
    var bounds = PanelInstance.Bounds()
    bounds.rowCountMax = configuration.rowCountMax
    bounds.byteCountMax = configuration.byteCountMax
    bounds.frameSizeMax = GatewayLimits.frameSizeMax
    self.bounds = bounds
    self.wallTime = wallTime
  }

  mutating func takeOutputs() -> [Output] { outputs.takeAll() }

  private mutating func drop(_ kind: String) { drops.count(kind) }
  private mutating func request(_ request: GatewayRequest) { outputs.append(.request(request)) }

  // MARK: Present apps

  subscript(session: SessionID) -> GatewayApp? { apps[session] }

  var sessions: [SessionID] { Array(apps.keys) }
  /// Apps that can be shown to panels.
  var loaded: [GatewayApp] { apps.values.filter(\.instance.isLoaded) }

  func app(on connection: String) -> GatewayApp? {
    apps.values.first { $0.connection == connection }
  }

  /// Changes an app in place if it is present, and collects its outputs.
  ///
  /// - Returns: nil if the app is not present.
  @discardableResult
  mutating func change<Result>(
    _ session: SessionID, _ body: (inout GatewayApp) -> Result
  ) -> Result? {
    guard let index = apps.index(forKey: session) else { return nil }
    defer { outputs += apps.values[index].takeOutputs() }
    return body(&apps.values[index])
  }

  /// Call when a panel has disconnected.
  mutating func forget(panel: StreamID) {
    for index in apps.values.indices { apps.values[index].forget(panel) }
  }

  var deadline: Duration? { apps.values.compactMap(\.deadline).min() }

  mutating func advance(to now: Duration) {
    for session in sessions { change(session) { $0.advance(to: now) } }
  }

  // MARK: Arrival and departure

  mutating func welcome(
    _ session: SessionID, _ heartbeat: Heartbeat, isNew: Bool, at now: Duration
  ) {
    runs.hear(session, heartbeat)
    guard apps[session] == nil else { return }
    guard var app = away.take(session) else {
      return appear(session, heartbeat, isNew: isNew, at: now)
    }
    request(.note(.appeared(app: app.instance.name, host: heartbeat.host)))
    let isLoaded = app.instance.isLoaded
    if !isLoaded { app.loadAgain(at: now) }
    apps[session] = app
    // The records that we lack follow in order behind the ones we have: the observer requests
    // nothing twice, unless it has forgotten the app.
    if isNew || !isLoaded { follow(session) }
    if isLoaded { outputs.append(.shown(session)) }
  }

  private mutating func appear(
    _ session: SessionID, _ heartbeat: Heartbeat, isNew: Bool, at now: Duration
  ) {
    // Differs for each run of an app: a panel ignores an id that it saw leave.
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

  /// Disconnects an app that has fallen silent or said goodbye, and keeps its history in case it
  /// returns.
  ///
  /// - Parameter isGuest: whether it is a guest of ours. It never returns under its session, and
  ///   its history would push out that of an app that may.
  mutating func leave(_ session: SessionID, isGuest: Bool) {
    guard var app = apps.removeValue(forKey: session) else { return }
    app.leave()
    app.change { $0.restHeads(all: false) }
    outputs += app.takeOutputs()
    request(.note(.left(app: app.instance.name)))
    outputs.append(.left(session, connection: app.connection))
    if !isGuest { away.put(app) }
    runs.leave(session, saidGoodbye: true)
    showNextRun(after: session)
  }

  /// A panel shows the app of the newest message, unless a person has chosen one that is still
  /// connected. So it goes on with the next run of an app that has just been disconnected.
  private mutating func showNextRun(after session: SessionID) {
    guard let next = runs.newestRun(after: session)?.session, apps[next]?.instance.isLoaded == true
    else { return }
    outputs.append(.message(.whole, next))
  }

  // MARK: Input from apps

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

  /// While an app's history is smaller than this, its records trigger no check of the sum.
  private static let historySizeUnchecked = GatewayLimits.historySizeMax / 512

  var historySize: Int { apps.values.reduce(away.size) { $0 + $1.instance.byteCount } }

  /// The largest history drops its older half, until the sum is within the limit.
  private mutating func boundHistories() {
    while apps.values.reduce(0, { $0 + $1.instance.byteCount }) > GatewayLimits.historySizeMax,
      let (session, app) = apps.max(by: {
        $0.value.instance.byteCount < $1.value.instance.byteCount
      })
    {
      change(session) { $0.change { $0.trim(toBytes: app.instance.byteCount / 2) } }
    }
  }

  /// Octets of the newest states of all apps together: enough for two of the largest size. A
  /// hostile app can produce a state of that size from a few octets (Protocol.md §15).
  private static let headSizeMax = 2 * Limits.contentSizeMax
  /// The same for newest states.
  private static let headSizeUnchecked = 1 << 20

  /// The largest newest states are dropped first; that of `session`, just received, last.
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

  mutating func receive(_ answer: ResetAnswer, of session: SessionID) {
    if change(session, { $0.receive(answer) }) == nil { drop("an answer of an absent app") }
  }

  /// Changes an app's history whether it is present or away.
  private mutating func learn(_ session: SessionID, _ body: (inout PanelInstance) -> Void) {
    if change(session, { $0.change(body) }) == nil { away.change(session) { $0.change(body) } }
  }

  private mutating func tell(
    _ session: SessionID, _ body: (inout PanelInstance) -> [PanelMessage]
  ) {
    // Panels receive no messages about an absent app.
    if change(session, { $0.tell(body) }) == nil { away.change(session) { _ = $0.change(body) } }
  }

  // MARK: Commands of panels

  /// Carries out a panel's frame for one app.
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

  /// Carries out a panel's frame that is not addressed by its channel: the frame names an instance,
  /// or is a `SYNC` that passes one instance's state on to the others.
  mutating func obeyBroadcast(
    _ frame: JSON, from stream: StreamID?, hasRead: Bool = true, at now: Duration
  ) {
    if frame["type"]?.string == "SYNC" { return synchronize(frame, from: stream, at: now) }
    guard let session = addressee(of: frame) else { return drop("unknown instance") }
    obey(frame, session, from: stream, hasRead: hasRead, at: now)
  }

  /// Checks that a frame sent to an app does not name another one.
  mutating func isFor(_ app: GatewayApp, _ frame: JSON) -> Bool {
    if let id = frame["instanceId"], id.string != app.instance.id {
      drop("unknown instance")
      return false
    }
    return true
  }

  private func addressee(of frame: JSON) -> SessionID? {
    guard let id = frame["instanceId"] else {
      // A Socket.IO relay may name no app (Relay.md, Socket.IO): the only one is meant.
      return apps.count == 1 ? apps.keys.first : nil
    }
    return apps.first { $0.value.instance.id == id.string }?.key
  }

  /// Imports the state of one instance into the other instances of the same app. Never into the
  /// source: the panel would pass the change on again, without end.
  private mutating func synchronize(_ frame: JSON, from stream: StreamID?, at now: Duration) {
    guard let state = frame["state"], let source = addressee(of: frame),
      let app = apps[source]?.instance.heartbeat.app
    else { return drop("unknown instance") }
    let others = apps.filter { $0.key != source && $0.value.instance.heartbeat.app == app }.keys
    for other in others { obey(["type": "IMPORT", "state": state], other, from: stream, at: now) }
  }
}

/// Keeps the histories of apps that have left, for `AppDirectory`: an app that stopped at a
/// breakpoint comes back under the same session.
struct AbsentApps {
  /// The most recent departure is at the end.
  private var apps: [GatewayApp] = []

  mutating func put(_ app: GatewayApp) {
    apps.append(app)
    // Keep the last one whatever its size: it is the one that somebody is looking at.
    while apps.count > 1, isTooMuch { apps.removeFirst() }
  }

  private var isTooMuch: Bool {
    apps.count > GatewayLimits.absentCountMax || size > GatewayLimits.absentSizeMax
  }

  /// Octets of all these histories.
  var size: Int { apps.reduce(0) { $0 + $1.instance.byteCount } }

  mutating func take(_ session: SessionID) -> GatewayApp? {
    let index = apps.firstIndex { $0.session == session }
    return index.map { apps.remove(at: $0) }
  }

  mutating func change<Result>(
    _ session: SessionID, _ body: (inout GatewayApp) -> Result
  ) -> Result? {
    guard let index = apps.firstIndex(where: { $0.session == session }) else { return nil }
    return body(&apps[index])
  }
}
