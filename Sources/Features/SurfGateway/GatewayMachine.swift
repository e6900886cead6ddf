import JSONTree
import SurfBasics
import SurfReceiving
import SurfStreams
import SurfWeb
import SurfWire

/// The gateway without sockets and clocks: it shows apps to every panel, and passes panels'
/// commands on to apps. `Gateway` runs it.
package struct GatewayMachine: StreamMachine {
  package typealias Input = GatewayInput

  let random: @Sendable () -> UInt64
  /// The upper half of the ids of our RemoteInspector guests, which identifies them as ours.
  let guestsHigh: UInt64
  /// The same for guests of Redux DevTools, which RemoteInspector front ends see like any app.
  var relayedHigh: UInt64 { guestsHigh &+ 1 }
  private let perform: @Sendable ([GatewayRequest]) -> Void

  var apps: AppDirectory
  var inbound: InboundStreams
  var cluster = ClusterRelay()
  var engines: EngineRelay
  var relayed: RelayedApps
  var uplinks: Uplinks
  /// Nil unless the gateway serves RemoteInspector.
  var inspectors: InspectorRelay?
  var refusals = RefusalLog()
  var turns = GatewayTurns()
  /// Actions on the streams of uplinks, and on streams that wait for their turn.
  var actions: [StreamAction] = []
  var requests: [GatewayRequest] = []
  /// When to return memory to the system; nil if nobody has left.
  private var trimAt: Duration?

  /// - Parameters:
  ///   - random: unpredictable numbers.
  ///   - wallTime: milliseconds since 1970.
  ///   - perform: called on the loop's thread with requests to carry out elsewhere; returns soon.
  package init(
    configuration: GatewayConfiguration, random: @escaping @Sendable () -> UInt64,
    wallTime: @escaping @Sendable () -> Int64,
    perform: @escaping @Sendable ([GatewayRequest]) -> Void
  ) {
    self.random = random
    self.perform = perform
    apps = AppDirectory(configuration, wallTime: wallTime)
    uplinks = Uplinks(to: configuration.relays, random: random)
    engines = EngineRelay(random: random)
    guestsHigh = random()
    relayed = RelayedApps(guestsHigh: guestsHigh &+ 1, random: random)
    if configuration.servesInspectors {
      inspectors = InspectorRelay(guestsHigh: guestsHigh, random: random)
    }
    inbound = InboundStreams(policy: AccessPolicy(configuration))
  }

  /// Counts of bad input, by kind.
  package var drops: [String: Int] {
    [
      apps.drops, inbound.drops, cluster.drops, engines.drops, relayed.drops,
      inspectors?.drops ?? [:],
    ]
    .reduce(into: [:]) { $0.add($1) }
  }

  /// Octets of the histories of all apps, including absent ones.
  package var historySize: Int { apps.historySize }
  package func historySize(of session: SessionID) -> Int { apps[session]?.instance.byteCount ?? 0 }

  package mutating func takeActions() -> [StreamAction] {
    defer { actions = [] }
    return inbound.takeActions() + actions
  }

  /// Passes on the requests. That may take long, so finished answers leave first.
  package mutating func performRequests() {
    if let size = turns.takeNewBacklog() { requests.append(.report(size)) }
    guard !requests.isEmpty else { return }
    perform(requests)
    requests = []
  }

  package mutating func receive(_ input: GatewayInput, at now: Duration) {
    if case .carried(let size) = input { return turns.shrinkBacklog(by: size) }
    if turns.admits(input) { take(input, at: now) }
  }

  mutating func take(_ input: GatewayInput, at now: Duration) {
    switch input {
    case .observer(let event):
      receive(event, at: now)
      inspect(event, at: now)
    case .answer(let session, let answer):
      apps.receive(answer, of: session)
      drainApps(at: now)
    case .asked(let instance, let request):
      relayed.ask(instance, request, at: now)
      drainRelayed(at: now)
    case .found(let relay, let former):
      uplinks.add(relay, formerly: former, for: apps.loaded.map(\.session), at: now)
      drainUplinks(at: now)
    case .carried: break
    }
  }

  package mutating func receive(_ event: StreamEvent, at now: Duration) {
    let stream = event.stream
    if uplinks.owns(stream) {
      uplinks.receive(event, at: now)
      return drainUplinks(at: now)
    }
    switch event {
    case .accepted(_, let peer, let local):
      inbound.accept(stream, from: peer, on: local, at: now)
    case .received(_, let bytes): receive(bytes, from: stream, at: now)
    case .ended: inbound.end(stream)
    case .progress(_, let unsent): wasWritten(stream, unsent: unsent, at: now)
    case .drained: wasWritten(stream, unsent: 0, at: now)
    case .closed(_, let end): closed(stream, end, at: now)
    case .connected: break
    }
  }

  mutating func note(_ note: GatewayNote) { requests.append(.note(note)) }

  /// Call when an app or a stream has left: its memory returns to the system a little later.
  mutating func scheduleTrim(at now: Duration) { trimAt = trimAt ?? now + GatewayLimits.trimPause }

  // MARK: Time

  package var deadline: Duration? {
    guard turns.isEmpty else { return .zero }
    return [
      inbound.deadline, cluster.deadline, engines.deadline, relayed.deadline, uplinks.deadline,
      apps.deadline,
      inspectors?.deadline, refusals.deadline, trimAt,
    ]
    .compactMap(\.self).min()
  }

  package mutating func advance(to now: Duration) {
    performRequests()
    takeTurns(at: now)
    for stream in cluster.due(at: now) {
      cluster.advance(stream, to: now)
      drainCluster(stream, at: now)
    }
    if let note = refusals.advance(to: now) { self.note(note) }
    if let trimAt, trimAt <= now {
      self.trimAt = nil
      requests.append(.trimMemory)
    }
    inbound.advance(to: now) { [engines] in engines.owesAnswer(on: $0) }
    engines.advance(to: now)
    drainEngines(at: now)
    relayed.advance(to: now)
    drainRelayed(at: now)
    uplinks.advance(to: now)
    drainUplinks(at: now)
    apps.advance(to: now)
    drainApps(at: now)
    for session in apps.sessions { flush(session, at: now) }
    drainInspectors(at: now)
    performRequests()
  }
}

extension GatewayMachine {
  mutating func drainUplinks(at now: Duration) {
    for output in uplinks.takeOutputs() {
      switch output {
      case .action(let action): actions.append(action)
      case .note(let note): self.note(note)
      case .ready(let key):
        guard let app = apps[key.session] else { break }
        uplinks.introduce(app.instance, to: key, at: now)
        drainUplinks(at: now)
      case .frame(let frame, let key): hear(frame, key, at: now)
      }
    }
  }

  private mutating func hear(_ frame: JSON, _ key: Uplinks.Key, at now: Duration) {
    guard let app = apps[key.session], apps.isFor(app, frame) else { return }
    switch frame["type"]?.string {
    case "START":
      guard uplinks.begin(app.instance, for: key, at: now) else { return }
      apps.change(key.session) { app in
        app.outbox.wasShown()
        app.wasSentHistory(nil)
      }
      drainUplinks(at: now)
    // Our own `SYNC`, which the relay sends back to all clients.
    case "SYNC": break
    default:
      apps.obey(frame, key.session, from: nil, at: now)
      drainApps(at: now)
    }
  }
}

// RemoteInspector's front ends and apps.
extension GatewayMachine {
  /// Upgrades a request for a WebSocket at any path without another meaning. A front end asks for
  /// `/ws`; an app asks for whatever a person typed.
  mutating func inspect(_ request: HTTPRequest, _ stream: StreamID) {
    guard inbound.upgrade(request, stream, to: .inspector) else { return }
    inspectors?.open(stream, from: inbound.address(of: stream), name: request.product)
  }

  mutating func drainInspectors(at now: Duration) {
    for session in inspectors?.due(at: now) ?? [] {
      inspectors?.show(apps[session]?.instance.presentState, of: session, at: now)
    }
    for output in inspectors?.takeOutputs() ?? [] {
      switch output {
      case .publish(let bytes, let streams):
        for stream in streams where inbound.keepsUp(stream) { inbound.write(bytes, to: stream) }
      case .write(let bytes, let stream): inbound.write(bytes, to: stream)
      case .request(let request): requests.append(request)
      }
    }
  }

  /// Passes an observer's event on to front ends. `apps` has handled it before.
  mutating func inspect(_ event: ObserverEvent, at now: Duration) {
    switch event {
    case .appeared(let session, let heartbeat, _):
      inspectors?.appeared(session, heartbeat)
      // After the request to follow the app.
      if inspectors != nil { requests.append(.values(session)) }
    case .heartbeat(let session, let heartbeat): inspectors?.appeared(session, heartbeat)
    case .values(let session, .value(let record)):
      inspectors?.receive(record, isNew: false, of: session)
    case .record(let session, let arrived) where !arrived.isBase:
      inspect(arrived.record.sequence, isNew: arrived.origin == .live, of: session)
    case .restored(let session, _), .caughtUp(let session): inspectors?.touch(session)
    case .gone(let session, _): inspectors?.gone(session)
    case .record, .lost, .retracted, .values: break
    }
    drainInspectors(at: now)
  }

  private mutating func inspect(_ row: SequenceNumber, isNew: Bool, of session: SessionID) {
    guard inspectors != nil, let record = apps[session]?.instance.record(of: row) else { return }
    inspectors?.receive(record, isNew: isNew, of: session)
    if record.kind.movesApp { inspectors?.touch(session) }
  }
}
