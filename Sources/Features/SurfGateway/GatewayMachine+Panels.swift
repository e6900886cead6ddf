import ReduxDevTools
import SurfRelay
import SurfStreams
import SurfWire

// Sends messages to panels and monitors.
extension GatewayMachine {
  /// Sends a message to all clients: to Socket.IO monitors immediately, to panels at their pace.
  mutating func broadcast(_ message: PanelMessage, of session: SessionID, at now: Duration) {
    guard let app = apps[session] else { return }
    let monitors = engines.monitors
    if !monitors.isEmpty {
      let frames = app.instance.seedFrames(message)
      for (sid, stream) in monitors where stream.map({ inbound.keepsUp($0) }) ?? true {
        engines.log(frames, to: sid, at: now)
        drainEngines(at: now)
      }
    }
    uplinks.tell(message, of: app.instance, session, kind: .socketIO, at: now)
    drainUplinks(at: now)
    switch message {
    case .error, .export: sendPanels(message, of: session, at: now)
    case .whole, .action, .lifted:
      apps.change(session) { $0.outbox.add(message) }
      flush(session, at: now)
    }
  }

  /// Sends panels the messages whose time has come.
  mutating func flush(_ session: SessionID, at now: Duration) {
    for message in apps.change(session, { $0.outbox.take(at: now) }) ?? [] {
      let octetCount = sendPanels(message, of: session, at: now)
      if octetCount > 0 { apps.change(session) { $0.outbox.wasSent(message, octetCount, at: now) } }
    }
  }

  /// Encodes a message once for all panels of a kind, and sends it.
  ///
  /// - Returns: the largest encoded size; 0 if no panel watches.
  @discardableResult
  private mutating func sendPanels(
    _ message: PanelMessage, of session: SessionID, at now: Duration
  ) -> Int {
    guard let app = apps[session] else { return 0 }
    if case .whole = message { apps.change(session) { $0.wasSentHistory(nil) } }
    var octetCount = uplinks.tell(
      message, of: app.instance, session, kind: .socketCluster, at: now)
    drainUplinks(at: now)
    let panels =
      isShownRaw(app) ? [] : cluster.panels.filter { !app.isOvertaken(by: $0, in: message) }
    guard !panels.isEmpty else { return octetCount }
    let bytes = ClusterRelay.publication(
      app.instance.frame(message, connection: app.connection), on: "log")
    octetCount = max(octetCount, bytes.count)
    for panel in panels { deliver(bytes, message, of: session, to: panel, at: now) }
    return octetCount
  }

  /// Sends one panel the history of an app.
  mutating func greet(_ stream: StreamID, _ session: SessionID, at now: Duration) {
    guard let app = apps[session], app.instance.isLoaded, !isShownRaw(app) else { return }
    apps.change(session) { $0.outbox.wasShown() }
    let frame = app.instance.frame(.whole, connection: app.connection)
    let bytes = ClusterRelay.publication(frame, on: "log")
    deliver(bytes, .whole, of: session, to: stream, at: now)
    apps.change(session) { $0.refetchView(at: now) }
    drainApps(at: now)
  }

  private mutating func deliver(
    _ bytes: [UInt8], _ message: PanelMessage, of session: SessionID, to stream: StreamID,
    at now: Duration
  ) {
    guard inbound.keepsUp(stream) else { return }
    switch message {
    case .error, .export: inbound.write(bytes, to: stream)
    case .whole, .action, .lifted:
      guard cluster.isReady(stream, for: session) else { return }
      inbound.write(bytes, to: stream)
      guard case .whole = message else { return }
      apps.change(session) { $0.wasSentHistory(stream) }
      cluster.wasSentHistory(stream)
      drainCluster(stream, at: now)
    }
  }

  /// Sends a panel that is ready the histories that it is owed.
  mutating func sendOwed(to stream: StreamID, at now: Duration) {
    while let session = cluster.takeOwed(stream) { greet(stream, session, at: now) }
  }

  /// Sends all panels every history again, because one of them has caught up. They go out at the
  /// common pace: that panel is not among the fastest.
  mutating func oweAll(at now: Duration) {
    for session in apps.loaded.map(\.session) {
      apps.change(session) { $0.outbox.add(.whole) }
      flush(session, at: now)
    }
  }

  /// Sends one monitor the histories of all apps.
  mutating func greet(monitor sid: String, at now: Duration) {
    for app in apps.loaded {
      engines.log(app.instance.seedFrames(.whole), to: sid, at: now)
    }
    drainEngines(at: now)
  }
}
