import SurfTransport
import SurfWire

// What viewers do for each other (Protocol.md §A.1).
extension ObserverMachine {
  /// Whether viewers send it to each other. Apps do not.
  func isBetweenViewers(_ body: Datagram.Body) -> Bool {
    switch body {
    case .seek, .offer: true
    case .nak(let nak): nak.isHistory
    default: false
    }
  }

  mutating func receiveFromViewer(
    _ body: Datagram.Body, _ source: Source, from endpoint: Endpoint, at now: Duration
  ) {
    switch body {
    case .seek(let seek): source.receiver.receive(seek, from: endpoint, at: now)
    case .offer(let offer): source.receiver.receive(offer, from: endpoint, at: now)
    case .nak(let nak): source.receiver.receive(nak, from: endpoint, at: now)
    default: counters.drop("not for a viewer")
    }
    source.isAsked = true
    drain(source)
  }

  mutating func drainLocalRequests(_ source: Source) {
    for (destination, datagram) in source.receiver.takeLocalRequests() {
      // The machine's own group is that of the probes, so viewers get it at theirs.
      let target = destination == .group ? .peer(viewers) : destination
      transmit([datagram], to: target, of: source)
    }
  }

  /// The next transmission for a late joiner. Sessions take turns.
  package mutating func nextServed(at now: Duration) -> Transmission? {
    for _ in sources.values.indices {
      servingTurn = (servingTurn + 1) % sources.values.count
      let source = sources.values[servingTurn]
      guard source.isAsked else { continue }
      if var served = source.receiver.nextServed(at: now) {
        served.mustBeSealed = source.key != nil
        summarize(source)
        return served
      }
      source.isAsked = source.receiver.servingDeadline(at: now) != nil
    }
    return nil
  }

  /// Divides the limit for held octets evenly among all sessions.
  mutating func shareHeldSize() {
    let holders = sources.values.filter(\.summary.holdsPackets)
    guard holders.count != holderCount else { return }
    holderCount = holders.count
    for source in holders {
      source.receiver.limitHeld(to: repair.heldSizeMax / holders.count)
    }
  }

  package func servingDeadline(at now: Duration) -> Duration? {
    let asked = sources.values.lazy.filter(\.isAsked)
    return asked.compactMap { $0.receiver.servingDeadline(at: now) }.min()
  }
}

extension ObserverMachine {
  /// Queues datagrams, to be sealed if the session is.
  mutating func transmit(_ datagrams: [Datagram], to destination: Destination, of source: Source) {
    var transmission = Transmission(to: destination, datagrams.map { $0.encoded() })
    transmission.mustBeSealed = source.key != nil
    transmissions.append(transmission)
  }

  /// This process was too slow for the datagrams on its socket.
  package mutating func socketOverflowed() {
    for source in sources.values { source.receiver.socketOverflowed() }
  }

  /// This viewer sends from another address from now on.
  package mutating func addressChanged(at now: Duration) {
    for source in sources.values {
      source.receiver.renewCookie(at: now)
      drain(source)
    }
  }
}

// Strangers can make unfinished data grow. Each session has its own limits; two more bound all
// sessions together (Protocol.md §13).
extension ObserverMachine {
  /// Octets of unfinished data, in all sessions.
  package var unfinishedSize: Int { sources.values.reduce(0) { $0 + size($1) } }

  /// Call it once for each round: little arrives in one.
  mutating func keepBudget(at now: Duration) {
    guard let source = beyondBudget else { return }
    let count = source.receiver.forgetUnfinished(at: now)
    counters.drop("unfinished", count: max(count, 1))
    drain(source)
  }

  /// The session with the most unfinished data, if a common limit is exceeded.
  private var beyondBudget: Source? {
    let unproven = sources.values.filter { !$0.summary.isProven }
    let isTooMuch = unproven.reduce(0) { $0 + size($1) } > Limits.unprovenSizeMax
    if isTooMuch { return unproven.max { size($0) < size($1) } }
    guard unfinishedSize > Limits.unfinishedSizeMax else { return nil }
    return sources.values.max { size($0) < size($1) }
  }

  private func size(_ source: Source) -> Int { source.summary.unfinishedSize }
}
