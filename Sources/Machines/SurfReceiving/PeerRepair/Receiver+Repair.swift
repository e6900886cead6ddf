import SurfBasics
import SurfTransport
import SurfWire

/// What a viewer does for others that follow the same session, and has them do for it
/// (Protocol.md §A.1).
package struct ViewerRepair: Sendable {
  /// Octets of packets to hold for others; 0 for none.
  package var heldSizeMax: Int
  /// Whether to fetch the backlog from other viewers, if they have it.
  package var seeks: Bool

  package init(heldSizeMax: Int = 0, seeks: Bool = false) {
    self.heldSizeMax = heldSizeMax
    self.seeks = seeks
  }
}

// Datagrams of other viewers.
extension Receiver {
  /// A late joiner seeks packets. A viewer without any stays silent.
  package mutating func receive(_ seek: Seek, from endpoint: Endpoint, at now: Duration) {
    guard isPresent, seek.viewer != viewer else { return }
    repairer?.receive(seek, from: endpoint, at: now, using: &random)
  }

  /// A request for what this viewer has offered.
  package mutating func receive(_ nak: NAK, from endpoint: Endpoint, at now: Duration) {
    guard isPresent, nak.isHistory else { return }
    repairer?.receive(nak, from: endpoint, at: now)
  }

  package mutating func receive(_ offer: Offer, from endpoint: Endpoint, at now: Duration) {
    guard isPresent else { return }
    localRepair?.receive(offer, from: endpoint, at: now)
    drainRepair(at: now)
    advance(to: now)
  }

  /// Packets of this session from another endpoint than the session's: false if the viewer asked no
  /// repairer there.
  package mutating func receive(
    _ packets: PacketTrain, from endpoint: Endpoint, at now: Duration
  ) -> Bool {
    for index in packets.indices {
      guard localRepair?.receive(packets[index], from: endpoint, at: now) == true else {
        return false
      }
    }
    if localRepair?.deadline(repeatMin: repeatMin).map({ $0 <= now }) == true { advance(to: now) }
    return true
  }

  /// The app's word on packets that came from another viewer.
  package mutating func receive(_ proof: Proof, at now: Duration) {
    guard proof.viewer == viewer else { return }
    heardInPassing(at: now)
    localRepair?.receive(proof, at: now)
    drainRepair(at: now)
    advance(to: now)
  }

  /// Datagrams for other viewers: for all of them, or for one.
  package mutating func takeLocalRequests() -> [(Destination, Datagram)] {
    defer { localRequests.removeAll() }
    return localRequests
  }

  /// The next packets for late joiners, once they are due. The driver calls it when there is
  /// nothing to receive, and at `servingDeadline`.
  package mutating func nextServed(at now: Duration) -> Transmission? {
    repairer?.nextTransmission(at: now)
  }

  package func servingDeadline(at now: Duration) -> Duration? { repairer?.deadline(at: now) }

  /// Whether packets are held for others, or will be.
  package var holdsPackets: Bool { repairer != nil && isFollowing && !hasExpired }

  /// Changes the most octets to hold.
  package mutating func limitHeld(to sizeMax: Int) { repairer?.limit(to: sizeMax) }
}

// The hooks for the rest of the receiver.
extension Receiver {
  /// Octets of unfinished data: packets before which others are missing, pieces of records, records
  /// that wait for a state, packets that the app has not vouched for.
  package var unfinishedSize: Int {
    (reader?.unfinishedSize ?? 0) + (localRepair?.unfinishedSize ?? 0)
  }

  /// Forgets all of that: it is asked for again or told as lost. Returns how many packets and
  /// records that were.
  package mutating func forgetUnfinished(at now: Duration) -> Int {
    localRepair?.cancel()
    // The packets that another viewer was to send.
    reader?.callBack(0..<SequenceNumber.max, due: now)
    return reader?.forgetUnfinished(at: now) ?? 0
  }

  mutating func takePart(in repair: ViewerRepair) {
    if repair.seeks {
      localRepair = LocalRepair(viewer: viewer, repairWindow: repairWindow, using: &random)
    }
    if repair.heldSizeMax > 0 {
      repairer = Repairer(session: session, sizeMax: repair.heldSizeMax, using: &random)
    }
  }

  /// The app is gone for good: it can no longer vouch for anything.
  mutating func leaveRepair() {
    localRepair?.cancel()
    repairer?.forgetAll()
  }

  /// The backlog is known to be missing: tries to get it from another viewer.
  mutating func seekRepairer(at now: Duration) {
    guard let packets = reader?.soughtPackets, localRepair?.seek(packets, at: now) == true
    else { return }
    reader?.putOff(packets)
  }

  mutating func advanceRepair(to now: Duration) {
    guard let cookie else { return }
    let repeatMin = repeatMin
    localRepair?.advance(to: now, cookie: cookie, repeatMin: repeatMin, using: &random)
    drainRepair(at: now)
  }

  private mutating func drainRepair(at now: Duration) {
    for request in localRepair?.takeRequests() ?? [] { pass(on: request) }
    for result in localRepair?.takeResults() ?? [] {
      switch result {
      case .proven(let batch):
        batch.visit { deliver($0) }
        // Packets that the windows had no room for.
        reader?.callBack(batch.packets, due: now)
      case .calledBack(let packets): reader?.callBack(packets, due: now)
      }
    }
    askAnew(at: now)
  }

  private mutating func pass(on request: LocalRepair.Request) {
    switch request {
    case .toViewers(let seek): localRequests.append((.group, datagram(.seek(seek))))
    case .toRepairer(let endpoint, let nak):
      localRequests.append((.peer(endpoint), datagram(.nak(nak))))
    case .toApp(let check): requests.append(datagram(.check(check)))
    }
  }

  private func datagram(_ body: Datagram.Body) -> Datagram {
    Datagram(session: session, body: body)
  }

  private mutating func deliver(_ packet: PacketView) {
    if reader?.receive(proven: packet) == .taken { repairer?.hold(packet) }
  }

  func addRepairCounters(to counters: inout Counters) {
    counters.packetsToViewers = repairer?.packetsServed ?? 0
    counters.drops.count("unproven request", repairer?.unprovenRequests ?? 0)
    guard let localRepair else { return }
    counters.packetsFromViewers = localRepair.provenCount
    counters.failedChecks = localRepair.failedCheckCount
    counters.drops.count("digest mismatch", localRepair.refutedCount)
  }
}
