import JSONTree
import ReduxDevTools
import SurfBasics
import SurfRelay
import SurfStreams
import SurfWire

/// The relays that the gateway dials, with one connection for each app. So a relay tells panels
/// when the app leaves, and a command that names no app means this one.
struct Uplinks {
  enum Output {
    case action(StreamAction)
    case note(GatewayNote)
    /// A relay is ready for an app: call `introduce`.
    case ready(Key)
    /// A frame from a panel behind a relay.
    case frame(JSON, Key)
  }

  struct Key: Hashable {
    fileprivate let relay: Int
    let session: SessionID
  }

  private static let connectTimeout = Duration.seconds(10)

  private let random: @Sendable () -> UInt64
  private var relays: [RelayAddress]
  private var uplinks: [Key: Uplink] = [:]
  /// Kept apart from `uplinks`, so that both are changed in place.
  private var links: [StreamID: (key: Key, link: RelayLink)] = [:]
  private var streamIDs = StreamIDs.connecting
  private var outputs: [Output] = []

  init(to relays: [RelayAddress], random: @escaping @Sendable () -> UInt64) {
    self.relays = relays
    self.random = random
  }

  mutating func takeOutputs() -> [Output] { outputs.takeAll() }

  func owns(_ stream: StreamID) -> Bool { links[stream] != nil || key(connecting: stream) != nil }

  private func key(connecting stream: StreamID) -> Key? {
    uplinks.first { if case .connecting(stream) = $0.value.phase { true } else { false } }?.key
  }

  // MARK: Dialing and hanging up

  /// Adds a relay that DNS-SD found. For a changed address, the next attempt uses the new one.
  mutating func add(
    _ relay: RelayAddress, formerly former: RelayAddress?, for sessions: [SessionID],
    at now: Duration
  ) {
    guard !relays.contains(relay) else { return }
    if let index = relays.firstIndex(where: { $0 == former }) {
      relays[index] = relay
      return
    }
    relays.append(relay)
    for session in sessions { open(Key(relay: relays.count - 1, session: session), at: now) }
  }

  /// Dials every relay for an app.
  mutating func dial(_ session: SessionID, at now: Duration) {
    for relay in relays.indices { open(Key(relay: relay, session: session), at: now) }
  }

  /// Ends the connections of an app that has left.
  mutating func hangUp(_ session: SessionID) {
    for key in uplinks.keys where key.session == session { end(key) }
  }

  private mutating func open(_ key: Key, at now: Duration) {
    let stream = streamIDs.next()
    let relay = relays[key.relay]
    uplinks[key, default: Uplink(phase: .resting(until: now))].phase = .connecting(stream)
    outputs.append(
      .action(.connect(stream, host: relay.host, port: relay.port, timeout: Self.connectTimeout)))
  }

  private mutating func end(_ key: Key) {
    guard let uplink = uplinks.removeValue(forKey: key) else { return }
    switch uplink.phase {
    case .resting: break
    case .connecting(let stream): outputs.append(.action(.abort(stream)))
    case .linked(let stream, _):
      links[stream]?.link.leave()
      for output in links[stream]?.link.takeOutputs() ?? [] {
        if case .write(let bytes) = output { outputs.append(.action(.write(stream, bytes))) }
      }
      links[stream] = nil
      outputs.append(.action(.closeAfterWriting(stream)))
    }
  }

  // MARK: Streams and time

  var deadline: Duration? {
    var times = links.values.compactMap(\.link.deadline)
    for case .resting(let time) in uplinks.values.map(\.phase) { times.append(time) }
    return times.min()
  }

  mutating func advance(to now: Duration) {
    for (key, uplink) in uplinks {
      if case .resting(let time) = uplink.phase, time <= now { open(key, at: now) }
    }
    for stream in Array(links.keys) {
      guard let deadline = links[stream]?.link.deadline, deadline <= now else { continue }
      links[stream]?.link.advance(to: now)
      drain(stream, at: now)
    }
  }

  mutating func receive(_ event: StreamEvent, at now: Duration) {
    let stream = event.stream
    switch event {
    case .connected:
      guard let key = key(connecting: stream) else { return }
      uplinks[key]?.phase = .linked(stream, id: nil)
      links[stream] = (
        key,
        RelayLink(
          to: relays[key.relay], agent: RelayLink.gatewayAgent, random: random)
      )
    case .received(_, let bytes): links[stream]?.link.receive(bytes, at: now)
    case .ended: links[stream]?.link.streamClosed()
    case .closed(_, let end):
      if let key = key(connecting: stream) {
        let reason = if case .failed(let reason) = end { reason } else { "it closed" }
        rest(key, because: reason, at: now)
      }
      links[stream]?.link.streamClosed()
    case .accepted, .progress, .drained: return
    }
    drain(stream, at: now)
  }

  private mutating func drain(_ stream: StreamID, at now: Duration) {
    for output in links[stream]?.link.takeOutputs() ?? [] {
      guard let key = links[stream]?.key else { return }
      switch output {
      case .write(let bytes): outputs.append(.action(.write(stream, bytes)))
      case .close: outputs.append(.action(.closeAfterWriting(stream)))
      case .ready(let id):
        uplinks[key]?.readyAt = now
        uplinks[key]?.phase = .linked(stream, id: id)
        outputs.append(.ready(key))
      // The app's answer goes out in frames, not as an acknowledgement.
      case .frame(let frame, _), .question(let frame, _): outputs.append(.frame(frame, key))
      case .lost(let reason):
        links[stream] = nil
        rest(key, because: reason, at: now)
      }
    }
  }

  private mutating func rest(_ key: Key, because reason: String, at now: Duration) {
    guard var uplink = uplinks[key] else { return }
    uplink.noteFailure(at: now)
    let pause = Uplink.backoff.delay(failures: uplink.failureCount, random: random())
    uplink.phase = .resting(until: now + pause)
    uplinks[key] = uplink
    outputs.append(.note(.relayLost(relays[key.relay], reason: reason, retryIn: pause)))
  }

  // MARK: Messages about apps

  /// Introduces an app to a relay from the start, whatever the relay remembers of it.
  mutating func introduce(_ instance: PanelInstance, to key: Key, at now: Duration) {
    let relay = relays[key.relay]
    outputs.append(.note(.relayReady(relay, app: instance.name)))
    // The connection may have been lost in the same batch of outputs.
    guard case .linked(let stream, let id?) = uplinks[key]?.phase else { return }
    switch relay.kind {
    case .socketCluster: send([instance.startFrame(connection: id)], stream, at: now)
    case .socketIO:
      // Socket.IO panels never send START.
      uplinks[key]?.isMonitored = true
      send(instance.seedFrames(.whole), stream, at: now)
    }
  }

  /// Handles a panel's START: the app sends to that relay from now on.
  ///
  /// - Returns: whether the history was sent.
  mutating func begin(_ instance: PanelInstance, for key: Key, at now: Duration) -> Bool {
    guard case .linked(let stream, let id) = uplinks[key]?.phase else { return false }
    uplinks[key]?.isMonitored = true
    guard let id else { return false }
    send([instance.frame(.whole, connection: id)], stream, at: now)
    return true
  }

  /// Sends a message to the panels behind relays of one kind.
  ///
  /// - Returns: the octets of the largest frame; 0 if no panel watches.
  @discardableResult
  mutating func tell(
    _ message: PanelMessage, of instance: PanelInstance, _ session: SessionID,
    kind: RelayAddress.Kind, at now: Duration
  ) -> Int {
    var octetCount = 0
    for (key, uplink) in uplinks where key.session == session && uplink.isMonitored {
      guard relays[key.relay].kind == kind, case .linked(let stream, let id?) = uplink.phase
      else { continue }
      let frames =
        switch kind {
        case .socketCluster: [instance.frame(message, connection: id)]
        case .socketIO: instance.seedFrames(message)
        }
      octetCount = max(octetCount, frames.first?["payload"]?.string?.utf8.count ?? 1)
      send(frames, stream, at: now)
    }
    return octetCount
  }

  private mutating func send(_ frames: [JSON], _ stream: StreamID, at now: Duration) {
    for frame in frames {
      guard let excess = links[stream]?.link.send(frame, at: now) else { continue }
      links[stream]?.link.send(
        PanelFrames.reduced(frame, from: excess.size, to: excess.sizeMax), at: now)
    }
    drain(stream, at: now)
  }
}

/// One app's connection to one relay.
private struct Uplink {
  enum Phase {
    /// Waits until then to dial again.
    case resting(until: Duration)
    case connecting(StreamID)
    case linked(StreamID, id: String?)
  }

  var phase: Phase
  var failureCount = 0
  /// When it last became ready.
  var readyAt: Duration?
  /// Whether a panel behind the relay has asked for the app.
  var isMonitored = false

  /// Counts a failure. Only a connection that lasted 10 s resets the count. One that breaks sooner
  /// may fail again because of what it was sent.
  mutating func noteFailure(at now: Duration) {
    if let readyAt, now - readyAt >= .seconds(10) { failureCount = 0 }
    failureCount += 1
    readyAt = nil
    isMonitored = false
  }

  static let backoff = Backoff(first: .milliseconds(500), longest: .seconds(30))
}
