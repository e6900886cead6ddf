import SurfBasics
import SurfTransport
import SurfWire

/// Options for the repairs that viewers of a session do for each other (Protocol.md §A.1).
package struct PeerRepairOptions: Sendable {
  /// Octets of packets to hold for other viewers; 0 to hold none.
  package var heldSizeMax: Int
  /// Whether to fetch the backlog from other viewers that have it.
  package var seeks: Bool

  package init(heldSizeMax: Int = 0, seeks: Bool = false) {
    self.heldSizeMax = heldSizeMax
    self.seeks = seeks
  }
}

// Datagrams from other viewers.
extension Receiver {
  /// Another viewer looks for packets. A viewer without any of them stays silent.
  package mutating func receive(_ seek: Seek, from endpoint: Endpoint, at now: Duration) {
    guard isPresent, seek.viewer != viewer else { return }
    repairer?.receive(seek, from: endpoint, at: now, using: &random)
  }

  /// A request for packets that this viewer has offered.
  package mutating func receive(_ nak: NAK, from endpoint: Endpoint, at now: Duration) {
    if isPresent, nak.isHistory { repairer?.receive(nak, from: endpoint, at: now) }
  }

  package mutating func receive(_ offer: Offer, from endpoint: Endpoint, at now: Duration) {
    guard isPresent else { return }
    seeker?.receive(offer, from: endpoint, at: now)
    drainRepair(at: now)
    advance(to: now)
  }

  /// Packets of this session from an endpoint other than the app's. False if the viewer has asked
  /// no repairer there.
  package mutating func receive(
    _ packets: PacketTrain, from endpoint: Endpoint, at now: Duration
  ) -> Bool {
    for index in packets.indices {
      guard seeker?.receive(packets[index], from: endpoint, at: now) == true else { return false }
    }
    if let due = seeker?.deadline(repeatMin: repeatMin), due <= now { advance(to: now) }
    return true
  }

  /// The app's digests of packets that came from another viewer.
  package mutating func receive(_ proof: Proof, at now: Duration) {
    guard proof.viewer == viewer else { return }
    heardInPassing(at: now)
    seeker?.receive(proof, at: now)
    drainRepair(at: now)
    advance(to: now)
  }

  /// Datagrams for all other viewers, or for one.
  package mutating func takeLocalRequests() -> [(Destination, Datagram)] {
    localRequests.takeAll()
  }

  /// The next packets for other viewers, if any are due. The driver calls it when there is nothing
  /// to receive, and at `servingDeadline`.
  package mutating func nextServed(at now: Duration) -> Transmission? {
    repairer?.nextTransmission(at: now)
  }

  package func servingDeadline(at now: Duration) -> Duration? { repairer?.deadline(at: now) }

  /// Whether this session holds packets for others, or will.
  var holdsPackets: Bool { repairer != nil && isFollowing && !hasExpired }

  /// Changes the size limit of the held packets.
  package mutating func limitHeld(to sizeMax: Int) { repairer?.limit(to: sizeMax) }
}

extension Receiver {
  /// Octets of unfinished data: packets that wait for an older one, pieces of records, records that
  /// wait for a state, packets that the app has not vouched for.
  package var unfinishedSize: Int {
    (reader?.unfinishedSize ?? 0) + (seeker?.unfinishedSize ?? 0) + values.unfinishedSize
  }

  /// Drops all unfinished data. The viewer requests it again, or reports it as lost. Returns the
  /// number of dropped packets and records.
  package mutating func forgetUnfinished(at now: Duration) -> Int {
    seeker?.cancel()
    // The packets that another viewer was to send.
    reader?.packets.missing.callBack(0..<SequenceNumber.max, due: now)
    return (reader?.forgetUnfinished(at: now) ?? 0) + values.forgetUnfinished()
  }

  /// The app has expired or was misheard, and vouches for nothing that is here.
  mutating func leavePeers() {
    seeker?.cancel()
    repairer?.forgetAll()
  }

  func addRepairCounters(to counters: inout Counters) {
    counters.packetsToViewers = repairer?.packetsServed ?? 0
    counters.drops.count("unproven request", repairer?.unprovenRequests ?? 0)
    guard let seeker else { return }
    counters.packetsFromViewers = seeker.provenCount
    counters.arrivals += seeker.provenCount
    counters.failedChecks = seeker.failedCheckCount
    counters.drops.count("digest mismatch", seeker.refutedCount)
  }

  /// Looks for another viewer that has the missing backlog.
  mutating func seekRepairer(at now: Duration) {
    guard let packets = reader?.soughtPackets, seeker?.seek(packets, at: now) == true
    else { return }
    reader?.packets.missing.putOff(packets)
  }

  mutating func advanceRepair(to now: Duration) {
    guard let cookie else { return }
    let repeatMin = repeatMin
    seeker?.advance(to: now, cookie: cookie, repeatMin: repeatMin, using: &random)
    drainRepair(at: now)
  }

  private mutating func drainRepair(at now: Duration) {
    for request in seeker?.takeRequests() ?? [] {
      switch request {
      case .toViewers(let seek): localRequests.append((.group, datagram(.seek(seek))))
      case .toRepairer(let endpoint, let nak):
        localRequests.append((.peer(endpoint), datagram(.nak(nak))))
      case .toApp(let check): requests.append(datagram(.check(check)))
      }
    }
    for result in seeker?.takeResults() ?? [] {
      switch result {
      case .proven(let batch):
        batch.visit { deliver($0) }
        // Packets that the store did not accept.
        reader?.packets.missing.callBack(batch.packets, due: now)
      case .calledBack(let packets): reader?.packets.missing.callBack(packets, due: now)
      }
    }
    askAnew(at: now)
  }

  private mutating func deliver(_ packet: PacketView) {
    if reader?.receive(proven: packet) == .taken { repairer?.hold(packet) }
  }
}
