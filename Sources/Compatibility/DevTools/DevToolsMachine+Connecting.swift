internal import JSONTree
internal import ReduxDevTools
internal import SurfBasics
internal import SurfRelay
internal import SurfStreams

extension DevToolsMachine {
  /// How long a relay may take to accept frames.
  private static var patience: Duration { .seconds(10) }

  /// How long a connection must last before the next failure counts as the first. A shorter one may
  /// end because the relay refuses the history that it gets first.
  private static var lasting: Duration { .seconds(10) }

  mutating func connect(_ host: String, _ port: UInt16, at now: Duration) {
    resolve = nil
    closeSession()
    guard !host.isEmpty else {
      target = nil
      return tell(._connectionFailed(DevToolsError.connection("there is no host to connect to")))
    }
    let kind: RelayAddress.Kind = environment.transport == .socketIO ? .socketIO : .socketCluster
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    var address = RelayAddress(
      kind: kind, host: isBracketed ? String(host.dropFirst().dropLast()) : host, port: port)
    address.token = environment.token
    target = address
    failures = 0
    open(at: now)
  }

  private mutating func open(at now: Duration) {
    guard let target else { return }
    let stream = streams.next()
    session = RelaySession(stream: stream, address: target, giveUpAt: now + Self.patience)
    state.connectionStatus = .connecting
    actions.append(
      .connect(stream, host: target.host, port: target.port, timeout: Self.patience))
  }

  mutating func retry(at now: Duration) {
    retryAt = nil
    let failures = failures
    if connectsToFirst, let service = state.discoveredServices.first(where: \.isResolved),
      let host = service.host, let port = service.port
    {
      connect(host, port, at: now)
      self.failures = failures
    } else {
      open(at: now)
    }
    if let target { emit(.connect(host: target.host, port: target.port)) }
  }

  mutating func disconnect() {
    connectsToFirst = false
    resolve = nil
    target = nil
    closeSession()
  }

  /// Leaves the relay and cancels the retry.
  private mutating func closeSession() {
    retryAt = nil
    if var session {
      session.link?.leave()
      for case .write(let bytes) in session.link?.takeOutputs() ?? [] {
        actions.append(.write(session.stream, bytes))
      }
      actions.append(
        session.link == nil ? .abort(session.stream) : .closeAfterWriting(session.stream))
    }
    session = nil
    clearSession()
  }

  /// Ends the pause and the lock that a panel had set.
  private mutating func clearSession() {
    state.reduce(.disconnect)
    history?.release()
    app.gate.lock(false)
  }

  /// Ends a session that failed or was lost, and schedules a retry.
  mutating func endSession(_ reason: String, at now: Duration) {
    guard let session else { return }
    actions.append(.closeAfterWriting(session.stream))
    self.session = nil
    clearSession()
    let error = DevToolsError.connection(reason)
    tell(session.id == nil ? ._connectionFailed(error) : ._connectionLost(error))
    if let readyAt = session.readyAt, now - readyAt >= Self.lasting { failures = 0 }
    failures += 1
    let backoff = Backoff(first: environment.retryDelay, longest: .seconds(30))
    retryAt = now + backoff.delay(failures: failures, random: random())
    if connectsToFirst, browse == nil {
      emit(.startBrowsing)
      startBrowsing()
    }
  }

  mutating func note(_ error: DevToolsError) { state.failure = "\(error)" }
}

extension DevToolsMachine {
  mutating func receive(_ event: StreamEvent, at now: Duration) {
    guard let address = session?.address, event.stream == session?.stream else { return }
    switch event {
    case .connected:
      let link = RelayLink(to: address, random: random)
      session?.link = link
    case .received(_, let bytes): session?.link?.receive(bytes, at: now)
    case .ended: session?.link?.streamClosed()
    case .closed(_, .failed(let reason)): return endSession(reason, at: now)
    case .closed: return endSession("the connection ended", at: now)
    case .accepted, .progress, .drained: break
    }
    drainLink(at: now)
  }

  mutating func send(_ frame: JSON?, at now: Duration) {
    guard let frame, session?.id != nil else { return }
    guard let excess = session?.link?.send(frame, at: now) else { return }
    let reason =
      "a message of \(excess.size) octets was reduced: the relay takes \(excess.sizeMax)"
    note(DevToolsError.connection(reason))
    session?.link?.send(
      PanelFrames.reduced(frame, from: excess.size, to: excess.sizeMax), at: now)
  }

  /// Performs the link's outputs until there are no more.
  mutating func drainLink(at now: Duration) {
    while let stream = session?.stream {
      let outputs = session?.link?.takeOutputs() ?? []
      guard !outputs.isEmpty else { return }
      for output in outputs where session?.stream == stream {
        perform(output, of: stream, at: now)
      }
    }
  }

  private mutating func perform(
    _ output: RelayLink.Output, of stream: StreamID, at now: Duration
  ) {
    switch output {
    case .write(let bytes): actions.append(.write(stream, bytes))
    case .close: actions.append(.closeAfterWriting(stream))
    case .ready(let id): enter(as: id, at: now)
    case .frame(let frame, _): receive(frame, at: now)
    case .question(let frame, let id): receive(frame, asked: id, at: now)
    case .lost(let reason): endSession(reason, at: now)
    }
  }

  private mutating func enter(as id: String, at now: Duration) {
    guard let address = session?.address else { return }
    session?.id = id
    session?.readyAt = now
    tell(._connected(host: address.host, port: address.port))
    if connectsToFirst {
      emit(.stopBrowsing)
      stopBrowsing()
    }
    sendHistory(at: now)
  }

  /// Obeys a panel's frame. Ignores frames for other apps.
  private mutating func receive(
    _ frame: JSON, asked question: Int? = nil, at now: Duration
  ) {
    if let instance = frame["instanceId"]?.string, instance != environment.instanceId,
      instance != session?.id
    {
      return
    }
    guard let command = PanelCommand(frame) else { return }
    tell(._received(RemoteDevCommand(command)))
    obey(Request(command: command, isNews: true, question: question), at: now)
  }
}

/// One attempt to connect to a relay, and the connection if it succeeds.
struct RelaySession {
  let stream: StreamID
  let address: RelayAddress
  /// When the attempt times out.
  let giveUpAt: Duration
  /// Nil until the stream is connected.
  var link: RelayLink?
  /// The relay's id for the app. Nil until the relay accepts frames.
  var id: String?
  /// When the relay accepted frames.
  var readyAt: Duration?

  var deadline: Duration? {
    let patience = id == nil ? giveUpAt : nil
    return [patience, link?.deadline].compactMap(\.self).min()
  }
}
