import JSONTree
import ReduxDevTools
import SurfReceiving
import SurfStreams
import SurfWire

// The observer's events, and how panels and relays learn of them.
extension GatewayMachine {
  mutating func receive(_ event: ObserverEvent, at now: Duration) {
    switch event {
    case .appeared(let session, let heartbeat, _):
      welcome(session, heartbeat, isNew: true, at: now)
    case .heartbeat(let session, let heartbeat):
      welcome(session, heartbeat, isNew: false, at: now)
    case .record(let session, let record): receive(record, of: session, at: now)
    case .lost(let session, let range): apps.lose(range, of: session, at: now)
    case .retracted(let session, let first): apps.retract(from: first, of: session)
    case .caughtUp(let session): apps.change(session) { $0.caughtUp() }
    case .restored(let session, let restored): apps.note(restored, of: session, at: now)
    case .gone(let session, _):
      let high = apps[session]?.instance.heartbeat.instance.high
      apps.leave(session, isGuest: high == guestsHigh || high == relayedHigh)
      scheduleTrim(at: now)
    case .values: break
    }
    drainApps(at: now)
  }

  private mutating func welcome(
    _ session: SessionID, _ heartbeat: Heartbeat, isNew: Bool, at now: Duration
  ) {
    apps.welcome(session, heartbeat, isNew: isNew, at: now)
    // An app that returns is shown with its old history before its new records.
    drainApps(at: now)
    apps.note(heartbeat, of: session)
  }

  private mutating func receive(_ arrived: ArrivedRecord, of session: SessionID, at now: Duration) {
    apps.receive(arrived, of: session)
    // First, because the record may finish a panel's loading, which sends panels more.
    drainApps(at: now)
    guard !arrived.isBase else { return }
    apps.change(session) { $0.noteArrival(of: arrived.record.sequence, at: now) }
  }

  mutating func drainApps(at now: Duration) {
    for output in apps.takeOutputs() {
      switch output {
      case .request(let request): requests.append(request)
      case .shown(let session): present(session, at: now)
      case .message(let message, let session): broadcast(message, of: session, at: now)
      case .left(let session, let connection):
        cluster.publish(["id": .string(connection), "type": "DISCONNECTED"], on: "log")
        drainCluster(at: now)
        uplinks.hangUp(session)
        drainUplinks(at: now)
      }
    }
  }

  /// Introduces an app to panels, and dials relays for it.
  private mutating func present(_ session: SessionID, at now: Duration) {
    guard let app = apps[session] else { return }
    // The panel's answer asks the app to start.
    if !isShownRaw(app) {
      cluster.publish(app.instance.startFrame(connection: app.connection), on: "log")
      drainCluster(at: now)
    }
    broadcast(.whole, of: session, at: now)
    uplinks.dial(session, at: now)
    drainUplinks(at: now)
  }

  /// Whether the app is on our SocketCluster relay, where panels get its own frames.
  func isShownRaw(_ app: GatewayApp) -> Bool {
    relayed.isShownRaw(app.instance.heartbeat.instance)
  }
}
