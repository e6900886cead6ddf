import SurfBasics
import SurfTransport
import SurfWire

/// A viewer's service to late joiners (Protocol.md §A.1). It holds a session's packets, offers them
/// to viewers that look for them, and sends them at its own pace. `Receiver` owns it.
///
/// It vouches for nothing. The viewer that gets the packets has the app check them.
struct Repairer: Sendable {
  private struct Pending: Sendable {
    let seek: Seek
    let endpoint: Endpoint
    let due: Duration
  }

  private(set) var packetsServed = 0
  private(set) var unprovenRequests = 0
  private let session: SessionID
  private var held: HeldPackets
  private let cookies: CookieJar
  private var offers: [Pending] = []
  private var lateJoiners = LateJoiners()
  private var pacer = Pacer(rateMax: Self.rateMax)

  /// Octets a second: a gigabit link. A viewer can buffer all the packets that it requests.
  private static let rateMax = 128.0 * 1_024 * 1_024
  private static let offerCountMax = 64

  /// - Parameter sizeMax: the limit for the held packets, in octets.
  init(session: SessionID, sizeMax: Int, using random: inout SeededGenerator) {
    self.session = session
    held = HeldPackets(session: session, sizeMax: sizeMax)
    cookies = CookieJar(using: &random)
  }

  /// Call it only for packets from the app itself, or for proven ones.
  mutating func hold(_ packets: PacketTrain) {
    for index in packets.indices { held.add(packets[index]) }
  }

  mutating func hold(_ packet: PacketView) { held.add(packet) }

  /// Changes the size limit.
  mutating func limit(to sizeMax: Int) { held.limit(to: sizeMax) }

  /// The app has expired, and can no longer vouch for anything.
  mutating func forgetAll() {
    held.removeAll()
    offers = []
    lateJoiners = LateJoiners()
  }

  // MARK: Asked for

  mutating func receive(
    _ seek: Seek, from endpoint: Endpoint, at now: Duration, using random: inout SeededGenerator
  ) {
    guard offers.count < Self.offerCountMax, !offers.contains(where: { $0.endpoint == endpoint }),
      held.longestRun(of: seek.wanted, at: now) != nil
    else { return }
    let due = now + random.duration(upTo: Timers.offerDelay)
    offers.append(Pending(seek: seek, endpoint: endpoint, due: due))
  }

  mutating func receive(_ nak: NAK, from endpoint: Endpoint, at now: Duration) {
    guard cookies.isGood(nak.cookie, from: nak.viewer, at: endpoint, now: now) else {
      unprovenRequests += 1
      return
    }
    lateJoiners.ask(for: nak.ranges, from: endpoint)
  }

  // MARK: On the wire

  func deadline(at now: Duration) -> Duration? {
    let serving = lateJoiners.isEmpty ? nil : pacer.ready(at: now)
    return (offers.map(\.due) + [serving].compactMap { $0 }).min()
  }

  mutating func nextTransmission(at now: Duration) -> Transmission? {
    while let index = offers.firstIndex(where: { $0.due <= now }) {
      if let offer = offer(offers.remove(at: index), at: now) { return offer }
    }
    while !lateJoiners.isEmpty, pacer.maySpend(at: now) {
      if let served = serve() { return served }
    }
    return nil
  }

  private mutating func offer(_ pending: Pending, at now: Duration) -> Transmission? {
    guard let run = held.longestRun(of: pending.seek.wanted, at: now) else { return nil }
    let viewer = pending.seek.viewer
    let cookie = cookies.cookie(for: viewer, at: pending.endpoint, now: now)
    let offer = Offer(viewer: viewer, cookie: cookie, held: run)
    return Transmission(
      to: .peer(pending.endpoint), [Datagram(session: session, body: .offer(offer)).encoded()])
  }

  private mutating func serve() -> Transmission? {
    guard let (run, endpoint) = lateJoiners.nextRun({ held[$0] }) else { return nil }
    pacer.spend(run.range.count, count: run.count, isRepair: false)
    packetsServed += run.count
    return Transmission(to: .peer(endpoint), run)
  }
}
