import SurfTimeline
import SurfTransport
import SurfWire

// Which sender a session belongs to, and whose room it is, where any sender may claim anything
// (Protocol.md §10.8). A welcome with our id proves that its sender received our hello at the
// address that it claims; everything else may come from anywhere.
extension ObserverMachine {
  struct Claimant {
    let endpoint: Endpoint
    let heartbeat: Heartbeat
    let askedAt: Duration
  }

  /// Instances to keep track of: a flood of invented sessions takes no more memory than this.
  private static let sourceCountMax = 256
  /// From here on a new instance is told of only once it has answered.
  private static let crowdCountMin = 64
  /// An answer takes a round trip; an instance that was asked has this long.
  private static let answerWait = Timers.helloRepeatMin

  /// Instances that answered and are gone are no crowd: short programs leave hundreds behind.
  private var isCrowded: Bool {
    guard sources.values.count >= Self.crowdCountMin else { return false }
    let others = sources.values.lazy.filter { !$0.summary.isProven || $0.summary.isPresent }
    return others.prefix(Self.crowdCountMin).count == Self.crowdCountMin
  }

  /// Whether an instance is told of only once it has answered. A sealed one may be somebody's
  /// recording of it, sent again. Nobody answers who is not asked.
  func mustAnswer(_ source: Source) -> Bool { !isSilent && (isCrowded || source.key != nil) }

  /// Asks who is there: one question for one heartbeat, which is longer.
  mutating func greet(_ source: Source, at endpoint: Endpoint) {
    transmit([source.receiver.greeting], to: .peer(endpoint), of: source)
  }

  // MARK: Another address

  /// After a pause an app comes back with a socket of its own choice. Others may claim the same: an
  /// instance that answers there is believed, unless the app is where it was, or comes back there.
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
    // Who cannot ask believes the one that is there.
    if isSilent, source.summary.isPresent { return counters.drop("impostor") }
    source.claimant = Claimant(
      endpoint: endpoint, heartbeat: heartbeat, askedAt: now)
    if isSilent { settle(source, at: endpoint, now: now) } else { greet(source, at: endpoint) }
  }

  /// A welcome has come from there.
  mutating func settle(_ source: Source, at endpoint: Endpoint, now: Duration) {
    if let claimant = source.claimant, claimant.endpoint == endpoint {
      source.claimant = nil
      source.endpoint = endpoint
      source.heartbeat = claimant.heartbeat
      source.heardAt = now
      source.receiver.receive(claimant.heartbeat, at: now)
      append(.heartbeat(source.session, claimant.heartbeat))
    }
    guard source.endpoint == endpoint else { return }
    if source.home == nil { source.home = endpoint }
    if source.isHidden { show(source) }
  }

  mutating func show(_ source: Source) {
    source.isHidden = false
    append(
      .appeared(
        source.session, source.heartbeat,
        standing(of: source)))
  }

  private func standing(of source: Source) -> Standing {
    guard source.key != nil else { return hasKeys ? .open : .plain }
    return isSilent ? .unproven : .sealed
  }

  // MARK: Room

  /// Instances that never answered make room first, then those that are gone; those that are here
  /// and have answered stay.
  mutating func makeRoom(at now: Duration) -> Bool {
    guard sources.values.count >= Self.sourceCountMax else { return true }
    // Looking at them all for each datagram of a flood would take all our time.
    guard now >= isFullUntil else { return false }
    guard let source = sources.values.min(by: { precedence($0) < precedence($1) }),
      mayGo(source, at: now)
    else {
      isFullUntil = now + Self.answerWait / 4
      return false
    }
    removeSource(source)
    return true
  }

  private func precedence(_ source: Source) -> (Int, Duration) {
    switch (source.summary.isProven, source.summary.isPresent) {
    case (false, false): return (0, source.heardAt)
    case (false, true): return (1, source.listedAt)
    case (true, false): return (2, source.heardAt)
    case (true, true): return (3, source.heardAt)
    }
  }

  private func mayGo(_ source: Source, at now: Duration) -> Bool {
    if !source.summary.isPresent { return true }
    return !source.summary.isProven
      && now - source.listedAt >= Self.answerWait
  }
}

/// The apps of realms that a viewer does not show: only how many there are.
package struct OtherRealms: Sendable {
  private var heardAt: [SessionID: Duration] = [:]

  /// As many as a viewer knows of those that it shows; a flood takes no more memory than this.
  package static let countMax: Int = 256

  mutating func hear(_ session: SessionID, at now: Duration) {
    if heardAt[session] == nil, heardAt.count >= Self.countMax {
      heardAt = heardAt.filter { Self.isLive($0.value, at: now) }
      guard heardAt.count < Self.countMax else { return }
    }
    heardAt[session] = now
  }

  /// Those that were heard of late.
  package func count(at now: Duration) -> Int {
    heardAt.values.count { Self.isLive($0, at: now) }
  }

  private static func isLive(_ heardAt: Duration, at now: Duration) -> Bool {
    now - heardAt < Timers.liveness
  }
}
