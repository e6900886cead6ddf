import SurfTransport
import SurfWire

// Datagrams from other viewers.
extension Receiver {
  /// Another viewer looks for packets. A viewer without any of them stays silent.
  package mutating func receive(_ seek: Seek, from endpoint: Endpoint, at now: Duration) {
    if isPresent { peers.receive(seek, from: endpoint, at: now, using: &random) }
  }

  /// A request for packets that this viewer has offered.
  package mutating func receive(_ nak: NAK, from endpoint: Endpoint, at now: Duration) {
    if isPresent { peers.receive(nak, from: endpoint, at: now) }
  }

  package mutating func receive(_ offer: Offer, from endpoint: Endpoint, at now: Duration) {
    guard isPresent else { return }
    peers.receive(offer, from: endpoint, at: now)
    drainRepair(at: now)
    advance(to: now)
  }

  /// Packets of this session from an endpoint other than the app's. False if the viewer has asked
  /// no repairer there.
  package mutating func receive(
    _ packets: PacketTrain, from endpoint: Endpoint, at now: Duration
  ) -> Bool {
    for index in packets.indices {
      guard peers.receive(packets[index], from: endpoint, at: now) else { return false }
    }
    if peers.deadline(repeatMin: repeatMin).map({ $0 <= now }) == true { advance(to: now) }
    return true
  }

  /// The app's digests of packets that came from another viewer.
  package mutating func receive(_ proof: Proof, at now: Duration) {
    guard proof.viewer == viewer else { return }
    heardInPassing(at: now)
    peers.receive(proof, at: now)
    drainRepair(at: now)
    advance(to: now)
  }

  /// Datagrams for all other viewers, or for one.
  package mutating func takeLocalRequests() -> [(Destination, Datagram)] {
    defer { localRequests.removeAll() }
    return localRequests
  }

  /// The next packets for other viewers, if any are due. The driver calls it when there is nothing
  /// to receive, and at `servingDeadline`.
  package mutating func nextServed(at now: Duration) -> Transmission? {
    peers.nextServed(at: now)
  }

  package func servingDeadline(at now: Duration) -> Duration? { peers.servingDeadline(at: now) }

  /// Whether this session holds packets for others, or will.
  var holdsPackets: Bool { peers.holdsPackets && isFollowing && !hasExpired }

  /// Changes the size limit of the held packets.
  package mutating func limitHeld(to sizeMax: Int) { peers.limitHeld(to: sizeMax) }
}

extension Receiver {
  /// Octets of unfinished data: packets that wait for an older one, pieces of records, records that
  /// wait for a state, packets that the app has not vouched for.
  package var unfinishedSize: Int {
    (reader?.unfinishedSize ?? 0) + peers.unfinishedSize + values.unfinishedSize
  }

  /// Drops all unfinished data. The viewer requests it again, or reports it as lost. Returns the
  /// number of dropped packets and records.
  package mutating func forgetUnfinished(at now: Duration) -> Int {
    peers.cancel()
    // The packets that another viewer was to send.
    reader?.packets.missing.callBack(0..<SequenceNumber.max, due: now)
    return (reader?.forgetUnfinished(at: now) ?? 0) + values.forgetUnfinished()
  }

  /// Looks for another viewer that has the missing backlog.
  mutating func seekRepairer(at now: Duration) {
    guard let packets = reader?.soughtPackets, peers.seek(packets, at: now) else { return }
    reader?.packets.missing.putOff(packets)
  }

  mutating func advanceRepair(to now: Duration) {
    guard let cookie else { return }
    peers.advance(to: now, cookie: cookie, repeatMin: repeatMin, using: &random)
    drainRepair(at: now)
  }

  private mutating func drainRepair(at now: Duration) {
    let (toViewers, toApp) = peers.takeRequests()
    localRequests += toViewers
    requests += toApp
    for result in peers.takeResults() {
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
    if reader?.receive(proven: packet) == .taken { peers.hold(packet) }
  }
}
