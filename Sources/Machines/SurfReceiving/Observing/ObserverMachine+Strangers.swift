import SurfTimeline
import SurfTransport
import SurfWire

// Decides which sender a session belongs to and which session is evicted, although any sender may
// claim anything (Protocol.md §10.8). A welcome with our id proves that its sender received our
// hello at the address that it claims. Everything else may be forged.
extension ObserverMachine {
  struct Claimant {
    let endpoint: Endpoint
    let heartbeat: Heartbeat
    let askedAt: Duration
  }

  /// The most instances to track, which bounds the memory that a flood of invented sessions takes.
  private static let sourceCountMax = 256
  /// From this many on, a new instance is shown only after it has answered.
  private static let crowdCountMin = 64
  /// How long an instance has to answer, before it may be evicted.
  private static let answerWait = Timers.helloRepeatMin

  /// Instances that answered and are gone do not count: short programs leave hundreds behind.
  private var isCrowded: Bool {
    guard sources.values.count >= Self.crowdCountMin else { return false }
    let others = sources.values.lazy.filter { !$0.summary.isProven || $0.summary.isPresent }
    return others.prefix(Self.crowdCountMin).count == Self.crowdCountMin
  }

  /// Whether an instance is shown only after it has answered. A sealed one always is, because
  /// somebody may be replaying a recording of it. A silent viewer asks nobody, so no instance must
  /// answer.
  func mustAnswer(_ source: Source) -> Bool { !isSilent && (isCrowded || source.key != nil) }

  /// Answers a heartbeat with a hello. The hello is shorter, so this amplifies nothing.
  mutating func greet(_ source: Source, at endpoint: Endpoint) {
    transmit([source.receiver.greeting], to: .peer(endpoint), of: source)
  }

  // MARK: Another address

  /// Another endpoint claims the session. After a pause an app returns with a new socket, but so
  /// may an impostor. The viewer believes the claimant if it answers a hello there, unless the app
  /// is still where it was. The app may always return to its first address.
  mutating func hear(
    claim heartbeat: Heartbeat, of source: Source, from endpoint: Endpoint, at now: Duration
  ) {
    let mayMove =
      !source.summary.isPresent || !source.summary.isProven
      || endpoint == source.home
    let isOthersTurn = source.claimant.map {
      $0.endpoint != endpoint && now - $0.askedAt < Self.answerWait
    }
    guard mayMove, isOthersTurn != true else { return counters.drop("impostor") }
    // A silent viewer cannot check a claim, so it keeps the app that is present.
    if isSilent, source.summary.isPresent { return counters.drop("impostor") }
    source.claimant = Claimant(
      endpoint: endpoint, heartbeat: heartbeat, askedAt: now)
    if isSilent { settle(source, at: endpoint, now: now) } else { greet(source, at: endpoint) }
  }

  /// The endpoint has answered with a welcome, or a silent viewer takes its claim as it is.
  mutating func settle(_ source: Source, at endpoint: Endpoint, now: Duration) {
    if let claimant = source.claimant, claimant.endpoint == endpoint {
      source.claimant = nil
      source.endpoint = endpoint
      source.heartbeat = claimant.heartbeat
      source.heardAt = now
      sink.append(.heartbeat(source.session, claimant.heartbeat))
      source.receiver.receive(claimant.heartbeat, at: now)
    }
    guard source.endpoint == endpoint else { return }
    if source.home == nil { source.home = endpoint }
    if source.isHidden { show(source) }
  }

  mutating func show(_ source: Source) {
    source.isHidden = false
    sink.append(
      .appeared(
        source.session, source.heartbeat,
        standing(of: source)))
  }

  private func standing(of source: Source) -> Standing {
    guard source.key != nil else { return hasKeys ? .open : .plain }
    return isSilent ? .unproven : .sealed
  }

  // MARK: Eviction

  /// Evicts an instance if the table is full: first one that never answered and has had the time
  /// to, then one that is gone. Instances that are present and have answered stay. Returns whether
  /// there is room.
  mutating func evictIfFull(at now: Duration) -> Bool {
    guard sources.values.count >= Self.sourceCountMax else { return true }
    // In a flood, scanning all sources for each datagram would take all our time.
    guard now >= isFullUntil else { return false }
    guard let source = sources.values.min(by: { evictionOrder($0) < evictionOrder($1) }),
      canEvict(source, at: now)
    else {
      isFullUntil = now + Self.answerWait / 4
      return false
    }
    removeSource(source)
    return true
  }

  private func evictionOrder(_ source: Source) -> (Int, Duration) {
    switch (source.summary.isProven, source.summary.isPresent) {
    case (false, false): return (0, source.heardAt)
    case (false, true): return (1, source.listedAt)
    case (true, false): return (2, source.heardAt)
    case (true, true): return (3, source.heardAt)
    }
  }

  private func canEvict(_ source: Source, at now: Duration) -> Bool {
    if !source.summary.isPresent { return true }
    return !source.summary.isProven
      && now - source.listedAt >= Self.answerWait
  }
}
