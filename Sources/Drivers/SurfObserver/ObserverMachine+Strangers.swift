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
    guard sources.count >= Self.crowdCountMin else { return false }
    let others = sources.values.lazy.filter { !$0.summary.isProven || $0.summary.isPresent }
    return others.prefix(Self.crowdCountMin).count == Self.crowdCountMin
  }

  /// Whether an instance is told of only once it has answered. A sealed one may be somebody's
  /// recording of it, sent again. Nobody answers who is not asked.
  func mustAnswer(_ source: Source) -> Bool { !isSilent && (isCrowded || source.key != nil) }

  /// Asks who is there: one question for one heartbeat, which is longer.
  mutating func greet(_ index: Int, at endpoint: Endpoint) {
    transmit([sources.values[index].receiver.greeting], to: .peer(endpoint), of: index)
  }

  // MARK: Another address

  /// After a pause an app comes back with a socket of its own choice. Others may claim the same: an
  /// instance that answers there is believed, unless the app is where it was, or comes back there.
  mutating func hear(
    claim heartbeat: Heartbeat, of index: Int, from endpoint: Endpoint, at now: Duration
  ) {
    let mayMove =
      !sources.values[index].summary.isPresent || !sources.values[index].summary.isProven
      || endpoint == sources.values[index].home
    let isOthersTurn = sources.values[index].claimant.map {
      $0.endpoint != endpoint && now - $0.askedAt < Self.answerWait
    }
    guard mayMove, isOthersTurn != true else { return counts.drop("impostor") }
    // Who cannot ask believes the one that is there.
    if isSilent, sources.values[index].summary.isPresent { return counts.drop("impostor") }
    sources.values[index].claimant = Claimant(
      endpoint: endpoint, heartbeat: heartbeat, askedAt: now)
    if isSilent { settle(index, at: endpoint, now: now) } else { greet(index, at: endpoint) }
  }

  /// A welcome has come from there.
  mutating func settle(_ index: Int, at endpoint: Endpoint, now: Duration) {
    if let claimant = sources.values[index].claimant, claimant.endpoint == endpoint {
      sources.values[index].claimant = nil
      sources.values[index].endpoint = endpoint
      sources.values[index].heartbeat = claimant.heartbeat
      sources.values[index].heardAt = now
      sources.values[index].receiver.receive(claimant.heartbeat, at: now)
      append(.heartbeat(sources.values[index].session, claimant.heartbeat))
    }
    guard sources.values[index].endpoint == endpoint else { return }
    if sources.values[index].home == nil { sources.values[index].home = endpoint }
    if sources.values[index].isHidden { show(index) }
  }

  mutating func show(_ index: Int) {
    sources.values[index].isHidden = false
    append(
      .appeared(
        sources.values[index].session, sources.values[index].heartbeat,
        standing(of: sources.values[index])))
  }

  private func standing(of source: Source) -> Standing {
    guard source.key != nil else { return hasKeys ? .open : .plain }
    return isSilent ? .unproven : .sealed
  }

  // MARK: Room

  /// Instances that never answered make room first, then those that are gone; those that are here
  /// and have answered stay.
  mutating func makeRoom(at now: Duration) -> Bool {
    guard sources.count >= Self.sourceCountMax else { return true }
    // Looking at them all for each datagram of a flood would take all our time.
    guard now >= isFullUntil else { return false }
    guard let index = sources.values.indices.min(by: { precedence($0) < precedence($1) }),
      mayGo(index, at: now)
    else {
      isFullUntil = now + Self.answerWait / 4
      return false
    }
    removeSource(at: index)
    return true
  }

  private func precedence(_ index: Int) -> (Int, Duration) {
    switch (sources.values[index].summary.isProven, sources.values[index].summary.isPresent) {
    case (false, false): return (0, sources.values[index].heardAt)
    case (false, true): return (1, sources.values[index].listedAt)
    case (true, false): return (2, sources.values[index].heardAt)
    case (true, true): return (3, sources.values[index].heardAt)
    }
  }

  private func mayGo(_ index: Int, at now: Duration) -> Bool {
    if !sources.values[index].summary.isPresent { return true }
    return !sources.values[index].summary.isProven
      && now - sources.values[index].listedAt >= Self.answerWait
  }
}
