import SurfTransport
import SurfWire

// What viewers do for each other (Protocol.md §A.1).
extension ObserverMachine {
  /// Whether it comes from another viewer, and not from the session's app.
  func isBetweenViewers(_ body: Datagram.Body) -> Bool {
    switch body {
    case .seek, .offer: true
    case .nak(let nak): nak.isHistory
    default: false
    }
  }

  mutating func receiveFromViewer(
    _ body: Datagram.Body, _ index: Int, from endpoint: Endpoint, at now: Duration
  ) {
    switch body {
    case .seek(let seek): sources.values[index].receiver.receive(seek, from: endpoint, at: now)
    case .offer(let offer): sources.values[index].receiver.receive(offer, from: endpoint, at: now)
    case .nak(let nak): sources.values[index].receiver.receive(nak, from: endpoint, at: now)
    default: counts.drop("not for a viewer")
    }
    sources.values[index].isAsked = true
    drain(index)
  }

  mutating func drainLocalRequests(_ index: Int) {
    for (destination, datagram) in sources.values[index].receiver.takeLocalRequests() {
      // Our own group is that of the probes.
      let target = destination == .group ? .peer(viewers) : destination
      transmit([datagram], to: target, of: index)
    }
  }

  /// The next transmission for a viewer that joined late; the sessions take turns.
  package mutating func nextServed(at now: Duration) -> Transmission? {
    for _ in sources.values.indices {
      servingTurn = (servingTurn + 1) % sources.count
      guard sources.values[servingTurn].isAsked else { continue }
      if var served = sources.values[servingTurn].receiver.nextServed(at: now) {
        served.mustBeSealed = sources.values[servingTurn].key != nil
        summarize(servingTurn)
        return served
      }
      let deadline = sources.values[servingTurn].receiver.servingDeadline(at: now)
      sources.values[servingTurn].isAsked = deadline != nil
    }
    return nil
  }

  /// The octets held for others are bounded over all sessions: each has the same share.
  mutating func shareHeldSize() {
    let holders = sources.values.indices.filter { sources.values[$0].summary.holdsPackets }
    guard holders.count != holderCount else { return }
    holderCount = holders.count
    for index in holders {
      sources.values[index].receiver.limitHeld(to: repair.heldSizeMax / holders.count)
    }
  }

  func servingDeadline(at now: Duration) -> Duration? {
    let all = sources.values
    let asked = all.indices.lazy.filter { all[$0].isAsked }
    return asked.compactMap { all[$0].receiver.servingDeadline(at: now) }.min()
  }
}
