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

/// Repair among the viewers of one session, for a `Receiver`: packets from other viewers, and
/// packets for them. The receiver asks the app for everything that this does not supply.
struct PeerRepair: Sendable {
  private let session: SessionID
  private let viewer: ViewerID
  /// Nil if the backlog should come from the app alone.
  private var repairSeeker: RepairSeeker?
  /// Nil if the viewer holds nothing for others.
  private var repairer: Repairer?

  init(
    _ repair: PeerRepairOptions, session: SessionID, viewer: ViewerID, repairWindow: WireCount,
    using random: inout SeededGenerator
  ) {
    self.session = session
    self.viewer = viewer
    if repair.seeks {
      repairSeeker = RepairSeeker(viewer: viewer, repairWindow: repairWindow, using: &random)
    }
    if repair.heldSizeMax > 0 {
      repairer = Repairer(session: session, sizeMax: repair.heldSizeMax, using: &random)
    }
  }

  /// The app has expired, and can no longer vouch for anything.
  mutating func leave() {
    repairSeeker?.cancel()
    repairer?.forgetAll()
  }

  func addCounters(to counters: inout Receiver.Counters) {
    counters.packetsToViewers = repairer?.packetsServed ?? 0
    counters.drops.count("unproven request", repairer?.unprovenRequests ?? 0)
    guard let repairSeeker else { return }
    counters.packetsFromViewers = repairSeeker.provenCount
    counters.arrivals += repairSeeker.provenCount
    counters.failedChecks = repairSeeker.failedCheckCount
    counters.drops.count("digest mismatch", repairSeeker.refutedCount)
  }

  // MARK: For other viewers

  var holdsPackets: Bool { repairer != nil }

  mutating func hold(_ packets: PacketTrain) { repairer?.hold(packets) }

  mutating func hold(_ packet: PacketView) { repairer?.hold(packet) }

  mutating func limitHeld(to sizeMax: Int) { repairer?.limit(to: sizeMax) }

  mutating func receive(
    _ seek: Seek, from endpoint: Endpoint, at now: Duration, using random: inout SeededGenerator
  ) {
    guard seek.viewer != viewer else { return }
    repairer?.receive(seek, from: endpoint, at: now, using: &random)
  }

  mutating func receive(_ nak: NAK, from endpoint: Endpoint, at now: Duration) {
    guard nak.isHistory else { return }
    repairer?.receive(nak, from: endpoint, at: now)
  }

  mutating func nextServed(at now: Duration) -> Transmission? {
    repairer?.nextTransmission(at: now)
  }

  func servingDeadline(at now: Duration) -> Duration? { repairer?.deadline(at: now) }

  // MARK: From other viewers

  /// Packets that were requested and have not arrived.
  var outstandingCount: WireCount { repairSeeker?.outstandingCount ?? 0 }
  /// Octets of packets that the app has not vouched for.
  var unfinishedSize: Int { repairSeeker?.unfinishedSize ?? 0 }

  func deadline(repeatMin: Duration) -> Duration? { repairSeeker?.deadline(repeatMin: repeatMin) }

  /// - Returns: false if no viewer is asked.
  mutating func seek(_ packets: Range<SequenceNumber>, at now: Duration) -> Bool {
    repairSeeker?.seek(packets, at: now) == true
  }

  mutating func cancel() { repairSeeker?.cancel() }

  mutating func receive(_ offer: Offer, from endpoint: Endpoint, at now: Duration) {
    repairSeeker?.receive(offer, from: endpoint, at: now)
  }

  /// - Returns: false if no repairer was asked at that endpoint.
  mutating func receive(_ packet: PacketView, from endpoint: Endpoint, at now: Duration) -> Bool {
    repairSeeker?.receive(packet, from: endpoint, at: now) == true
  }

  mutating func receive(_ proof: Proof, at now: Duration) { repairSeeker?.receive(proof, at: now) }

  mutating func advance(
    to now: Duration, cookie: Cookie, repeatMin: Duration, using random: inout SeededGenerator
  ) {
    repairSeeker?.advance(to: now, cookie: cookie, repeatMin: repeatMin, using: &random)
  }

  mutating func takeResults() -> [RepairSeeker.Result] { repairSeeker?.takeResults() ?? [] }

  mutating func takeRequests() -> (toViewers: [(Destination, Datagram)], toApp: [Datagram]) {
    var requests: (toViewers: [(Destination, Datagram)], toApp: [Datagram]) = ([], [])
    for request in repairSeeker?.takeRequests() ?? [] {
      switch request {
      case .toViewers(let seek): requests.toViewers.append((.group, datagram(.seek(seek))))
      case .toRepairer(let endpoint, let nak):
        requests.toViewers.append((.peer(endpoint), datagram(.nak(nak))))
      case .toApp(let check): requests.toApp.append(datagram(.check(check)))
      }
    }
    return requests
  }

  private func datagram(_ body: Datagram.Body) -> Datagram {
    Datagram(session: session, body: body)
  }
}
