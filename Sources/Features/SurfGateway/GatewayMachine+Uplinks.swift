import JSONTree
import ReduxDevTools
import RelayClient
import SurfStreams
import SurfWire

// Relays that we dial: one connection for each app, so that the relay tells panels when an app
// goes, and a command that names nobody can only mean that one.
extension GatewayMachine {
  private static let connectTimeout = Duration.seconds(10)

  func uplinkKey(connecting stream: StreamID) -> Uplink.Key? {
    uplinks.first { if case .connecting(stream) = $0.value.phase { true } else { false } }?.key
  }

  /// A relay that was found later. One that is known under another address is dialled at this one
  /// from the next time on.
  mutating func add(_ relay: RelayAddress, formerly former: RelayAddress?, at now: Duration) {
    guard !relays.contains(relay) else { return }
    if let index = relays.firstIndex(where: { $0 == former }) {
      relays[index] = relay
      return
    }
    relays.append(relay)
    for (session, app) in apps where app.instance.isLoaded {
      open(Uplink.Key(relay: relays.count - 1, session: session), at: now)
    }
  }

  mutating func open(_ key: Uplink.Key, at now: Duration) {
    let stream = streamIDs.next()
    let relay = relays[key.relay]
    uplinks[key, default: Uplink(phase: .resting(until: now))].phase = .connecting(stream)
    actions.append(
      .connect(stream, host: relay.host, port: relay.port, timeout: Self.connectTimeout))
  }

  /// The app is gone.
  mutating func end(_ key: Uplink.Key) {
    guard let uplink = uplinks.removeValue(forKey: key) else { return }
    switch uplink.phase {
    case .resting: break
    case .connecting(let stream): actions.append(.abort(stream))
    case .linked(let stream, _):
      links[stream]?.link.leave()
      for output in links[stream]?.link.takeOutputs() ?? [] {
        if case .write(let bytes) = output { actions.append(.write(stream, bytes)) }
      }
      links[stream] = nil
      actions.append(.closeAfterWriting(stream))
    }
  }

  mutating func advanceUplinks(to now: Duration) {
    for (key, uplink) in uplinks {
      if case .resting(let time) = uplink.phase, time <= now { open(key, at: now) }
    }
    for stream in Array(links.keys) {
      guard let deadline = links[stream]?.link.deadline, deadline <= now else { continue }
      links[stream]?.link.advance(to: now)
      drainLink(stream, at: now)
    }
  }

  mutating func receiveUplink(_ event: StreamEvent, at now: Duration) {
    let stream = event.stream
    switch event {
    case .connected:
      guard let key = uplinkKey(connecting: stream) else { return }
      uplinks[key]?.phase = .linked(stream, id: nil)
      links[stream] = (key, RelayLink(to: relays[key.relay], random: random))
      drainLink(stream, at: now)
    case .received(_, let bytes):
      links[stream]?.link.receive(bytes, at: now)
      drainLink(stream, at: now)
    case .ended:
      links[stream]?.link.streamClosed()
      drainLink(stream, at: now)
    case .closed(_, let end):
      if let key = uplinkKey(connecting: stream) {
        let reason = if case .failed(let reason) = end { reason } else { "it closed" }
        rest(key, because: reason, at: now)
      } else {
        links[stream]?.link.streamClosed()
        drainLink(stream, at: now)
      }
    case .accepted, .progress, .drained: break
    }
  }

  private mutating func drainLink(_ stream: StreamID, at now: Duration) {
    for output in links[stream]?.link.takeOutputs() ?? [] {
      guard let key = links[stream]?.key else { return }
      switch output {
      case .write(let bytes): actions.append(.write(stream, bytes))
      case .close: actions.append(.closeAfterWriting(stream))
      case .ready(let id): ready(key, stream, id, at: now)
      case .frame(let frame, let isForAll): hear(frame, isForAll, key, at: now)
      case .lost(let reason):
        links[stream] = nil
        rest(key, because: reason, at: now)
      }
    }
  }

  private mutating func rest(_ key: Uplink.Key, because reason: String, at now: Duration) {
    guard let uplink = uplinks[key] else { return }
    let pause = Uplink.backoff.delay(failures: uplink.failureCount + 1, random: random())
    uplinks[key]?.failureCount += 1
    uplinks[key]?.isMonitored = false
    uplinks[key]?.phase = .resting(until: now + pause)
    note(.relayLost(relays[key.relay], reason: reason, retryIn: pause))
  }

  /// Known to the relay: begin anew, whatever it remembers of us.
  private mutating func ready(
    _ key: Uplink.Key, _ stream: StreamID, _ id: String, at now: Duration
  ) {
    guard let app = apps[key.session] else { return }
    uplinks[key]?.failureCount = 0
    uplinks[key]?.phase = .linked(stream, id: id)
    note(.relayReady(relays[key.relay], app: app.instance.name))
    switch relays[key.relay].kind {
    case .socketCluster: send([app.instance.startFrame(connection: id)], stream, at: now)
    case .socketIO:
      // Nobody there says START.
      uplinks[key]?.isMonitored = true
      send(app.instance.seedFrames(.whole), stream, at: now)
    }
  }

  private mutating func send(_ frames: [JSON], _ stream: StreamID, at now: Duration) {
    for frame in frames { links[stream]?.link.send(frame, at: now) }
    drainLink(stream, at: now)
  }

  /// What a panel behind a relay says.
  private mutating func hear(
    _ frame: JSON, _ isForAll: Bool, _ key: Uplink.Key, at now: Duration
  ) {
    guard let app = apps[key.session] else { return }
    if let id = frame["instanceId"], id.string != app.instance.id {
      return drop("unknown instance")
    }
    if frame["type"]?.string == "START" {
      uplinks[key]?.isMonitored = true
      guard let stream = uplinks[key]?.stream, let id = uplinks[key]?.id else { return }
      apps[key.session]?.outbox.wasShown()
      return send([app.instance.frame(.whole, connection: id)], stream, at: now)
    }
    // Our own, which the relay hands back to everybody.
    if frame["type"]?.string == "SYNC" { return }
    obey(frame, key.session, from: nil, at: now)
  }

  /// To the panels behind relays of one kind.
  ///
  /// - Returns: the octets of one frame; 0 if nobody watches.
  @discardableResult
  mutating func broadcastUp(
    _ message: PanelMessage, of app: GatewayApp, _ session: SessionID, kind: RelayAddress.Kind,
    at now: Duration
  ) -> Int {
    var octetCount = 0
    for (key, uplink) in uplinks where key.session == session && uplink.isMonitored {
      guard relays[key.relay].kind == kind, let stream = uplink.stream, let id = uplink.id else {
        continue
      }
      let frames =
        switch kind {
        case .socketCluster: [app.instance.frame(message, connection: id)]
        case .socketIO: app.instance.seedFrames(message)
        }
      octetCount = max(octetCount, frames.first?["payload"]?.string?.utf8.count ?? 1)
      send(frames, stream, at: now)
    }
    return octetCount
  }
}

extension Uplink {
  fileprivate var stream: StreamID? {
    if case .linked(let stream, _) = phase { stream } else { nil }
  }

  fileprivate var id: String? {
    if case .linked(_, let id) = phase { id } else { nil }
  }
}
