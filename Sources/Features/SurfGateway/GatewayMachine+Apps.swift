import JSONTree
import ReduxDevTools
import SurfObserver
import SurfStreams
import SurfWire

// What apps tell.
extension GatewayMachine {
  mutating func receive(_ event: ObserverEvent, at now: Duration) {
    switch event {
    case .appeared(let session, let heartbeat):
      welcome(session, heartbeat, isNew: true, at: now)
      note(heartbeat, of: session, at: now)
    case .heartbeat(let session, let heartbeat):
      welcome(session, heartbeat, isNew: false, at: now)
      note(heartbeat, of: session, at: now)
    case .record(let session, let record):
      receive(ArrivedRecord(record), of: session, at: now)
    case .arrived(let session, let record): receive(record, of: session, at: now)
    case .lost(let session, let range):
      learn(session) { $0.lose(range) }
      refetched(range, of: session, at: now)
    case .retracted(let session, let first): learn(session) { $0.retract(from: first) }
    case .caughtUp(let session): caughtUp(session, at: now)
    case .restored(let session, let restored):
      tell(session, at: now) { $0.note(restored) }
      settleDebt(session, at: now)
    case .gone(let session, _): leave(session, at: now)
    }
  }

  private mutating func note(_ heartbeat: Heartbeat, of session: SessionID, at now: Duration) {
    tell(session, at: now) { $0.note(heartbeat) }
    settleDebt(session, at: now)
  }

  private mutating func welcome(
    _ session: SessionID, _ heartbeat: Heartbeat, isNew: Bool, at now: Duration
  ) {
    guard apps[session] == nil else { return }
    guard var app = away.take(session) else {
      appear(session, heartbeat, at: now)
      apps[session]?.isForgotten = !isNew
      return
    }
    note(.appeared(app: app.instance.name, host: heartbeat.host))
    let isLoaded = app.instance.isLoaded
    if !isLoaded {
      app.inquiry = .none
      app.loadBy = now + GatewayLimits.loadTimeout
    }
    apps[session] = app
    // What it did meanwhile, and what was under way when it fell silent, comes in order behind what
    // is here: nothing is asked for twice, unless the observer has forgotten the app.
    if isNew || !isLoaded { follow(session) }
    if isLoaded { present(session, at: now) }
  }

  private mutating func follow(_ session: SessionID) {
    request(.follow(session, .last(WireCount(configuration.rowCountMax))))
  }

  private mutating func appear(_ session: SessionID, _ heartbeat: Heartbeat, at now: Duration) {
    var bounds = PanelInstance.Bounds()
    bounds.rowCountMax = configuration.rowCountMax
    bounds.byteCountMax = configuration.byteCountMax
    bounds.frameSizeMax = GatewayLimits.frameSizeMax
    // New for each run of an app: a panel forgets an id that it saw leave.
    let id = String(session.rawValue, radix: 16)
    let instance = PanelInstance(
      id: id, heartbeat: heartbeat, bounds: bounds, appearedAt: wallTime())
    apps[session] = GatewayApp(
      instance: instance, connection: "surf-\(id)", loadBy: now + GatewayLimits.loadTimeout)
    note(.appeared(app: instance.name, host: heartbeat.host))
    follow(session)
  }

  private mutating func receive(
    _ arrived: ArrivedRecord, of session: SessionID, at now: Duration
  ) {
    tell(session, at: now) { $0.receive(arrived) }
    guard !arrived.isBase else { return }
    let row = arrived.record.sequence
    refetched(row...row, of: session, at: now)
    guard let app = apps[session], !app.instance.isLoaded, app.inquiry != .none,
      app.instance.question == nil
    else { return }
    finishLoading(session, at: now)
  }

  /// The past is here; what it does not tell is asked for first, because a panel takes in only at
  /// its first message what an app can do.
  private mutating func caughtUp(_ session: SessionID, at now: Duration) {
    refetchUnloaded(session)
    guard let app = apps[session], app.inquiry == .none else { return }
    guard !app.instance.isLoaded, let question = app.instance.question else {
      return finishLoading(session, at: now)
    }
    apps[session]?.inquiry = .unanswered
    request(.command(session, question))
  }

  /// Nothing more will come: panels may be told, and relays dialled.
  mutating func finishLoading(_ session: SessionID, at now: Duration) {
    guard apps[session]?.change({ $0.finishLoading() }) == true else { return }
    present(session, at: now)
  }

  /// Shows an app to panels, and to relays.
  private mutating func present(_ session: SessionID, at now: Duration) {
    guard let app = apps[session] else { return }
    announce(app)
    broadcast(.whole, of: session, at: now)
    for relay in relays.indices { open(Uplink.Key(relay: relay, session: session), at: now) }
  }

  /// Changes what is known of an app, be it here or away.
  @discardableResult
  private mutating func learn<Result>(
    _ session: SessionID, _ change: (inout PanelInstance) -> Result
  ) -> Result? {
    apps[session]?.change(change) ?? away.change(session) { $0.change(change) }
  }

  private mutating func tell(
    _ session: SessionID, at now: Duration, _ change: (inout PanelInstance) -> [PanelMessage]
  ) {
    let messages = learn(session, change) ?? []
    for message in messages { broadcast(message, of: session, at: now) }
  }

  /// It says nothing, or said goodbye; its history is kept, because it may come back.
  private mutating func leave(_ session: SessionID, at now: Duration) {
    guard var app = apps.removeValue(forKey: session) else { return }
    note(.left(app: app.instance.name))
    let farewell: JSON = ["id": .string(app.connection), "type": "DISCONNECTED"]
    publish(farewell, on: "log")
    for key in uplinks.keys where key.session == session { end(key) }
    app.unanswered = 0
    app.outbox.discard()
    app.refetches = Refetches()
    away.put(app, session)
  }

  /// What became of what a panel asked.
  mutating func receive(_ answer: ResetAnswer, of session: SessionID, at now: Duration) {
    guard apps[session] != nil else { return drop("an answer of who is away") }
    // What the gateway asked for itself comes as a record, behind the answer or before it.
    if apps[session]?.inquiry == .unanswered {
      apps[session]?.inquiry = .answered
      if case .answered(.applied, _) = answer { return }
      return finishLoading(session, at: now)
    }
    let unanswered = max(0, (apps[session]?.unanswered ?? 0) - 1)
    apps[session]?.unanswered = unanswered
    let reason: String
    switch answer {
    case .answered(.applied, let position):
      // The word on where it is now may still be on its way.
      if apps[session]?.instance.position == position { return settle(session, at: now) }
      apps[session]?.owesPointer = true
      return
    case .answered(.rejected(let why), _): reason = why
    case .answered(.forbidden, _): reason = "it takes no states or commands from outside"
    case .answered(.busy, _): reason = "it is busy with what other viewers ask; try again"
    case .timedOut: reason = "it did not answer in time"
    case .unreachable: reason = "it is no longer there"
    case .tooLarge(let limit): reason = "that is more than \(limit) octets"
    }
    let name = apps[session]?.instance.name ?? "the app"
    note(.refused(app: name, reason: reason))
    broadcast(.error("\(name): \(reason)"), of: session, at: now)
    settle(session, at: now)
  }
}

// What panels ask.
extension GatewayMachine {
  /// A panel's frame for one app.
  mutating func obey(_ frame: JSON, _ session: SessionID, from stream: StreamID?, at now: Duration)
  {
    guard let command = PanelCommand(frame) else { return drop("unreadable panel frame") }
    if case .unknown = command { drop("unknown panel command") }
    if let stream { apps[session]?.mover = stream }
    guard let replies = apps[session]?.change({ $0.perform(command) }) else {
      return drop("unknown instance")
    }
    for reply in replies { carryOut(reply, of: session, from: stream, at: now) }
    if case .start = command { look(at: session, at: now) }
    // Nothing to wait for: a panel that moved its pointer in vain has it put back.
    settle(session, at: now)
  }

  mutating func carryOut(
    _ reply: PanelReply, of session: SessionID, from stream: StreamID?, at now: Duration
  ) {
    switch reply {
    case .send(let message):
      if case .error(let reason) = message, let app = apps[session] {
        note(.refused(app: app.instance.name, reason: reason))
      }
      broadcast(message, of: session, at: now)
    case .fetch(let row): jump(toDropped: row, of: session, at: now)
    case .command(let bytes): ask(.command(session, bytes), session)
    case .reset(_, .initial): ask(.reset(session, .initial, nil), session)
    case .reset(let row, .bytes(let bytes, let type)):
      let target = row.map { Position(wire: $0) } ?? .elsewhere
      ask(.reset(session, target, Content(type: type, bytes: bytes)), session)
    }
  }

  private mutating func ask(_ request: GatewayRequest, _ session: SessionID) {
    apps[session]?.unanswered += 1
    self.request(request)
  }

  /// A panel's frame for whom it may concern: it names an instance, asks all to begin, or passes on
  /// the state of one to the others.
  mutating func obeyBroadcast(_ frame: JSON, from stream: StreamID?, at now: Duration) {
    switch frame["type"]?.string {
    case "START":
      if let stream { greet(stream, at: now) }
    case "SYNC": synchronize(frame, from: stream, at: now)
    default:
      guard let session = addressee(of: frame) else { return drop("unknown instance") }
      obey(frame, session, from: stream, at: now)
    }
  }

  private func addressee(of frame: JSON) -> SessionID? {
    guard let id = frame["instanceId"] else {
      // A Socket.IO relay may name nobody (Protocol.md §B.4): with one app there is no doubt.
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
