import SurfBasics
import SurfTransport
import SurfWire

/// Fetches the backlog of a late joiner from another viewer (Protocol.md §A.1). It finds one,
/// requests blocks of packets, and has the app vouch for each block. `Receiver` owns it.
///
/// If a repairer fails, a spare one takes over what it has not delivered. The packets of a failed
/// check are called back, and those that no repairer is left for. The viewer asks the app for them
/// instead. Only packets that the app has vouched for are reported as proven.
struct RepairSeeker: Sendable {
  enum Request: Sendable {
    case toViewers(Seek)
    case toRepairer(Endpoint, NAK)
    case toApp(Check)
  }

  enum Result: Sendable {
    /// The app has vouched for the whole block.
    case proven(PacketBatch)
    /// Ask the app for these.
    case calledBack(Range<SequenceNumber>)
  }

  private enum Phase: Sendable {
    case idle
    case seeking(repeatAt: Duration?, until: Duration)
    case using(Candidate)
  }

  /// A viewer that has made an offer.
  private struct Candidate: Sendable {
    let endpoint: Endpoint
    let cookie: Cookie
    let held: ClosedRange<SequenceNumber>
  }

  private struct Fetch: Sendable {
    var batch: PacketBatch
    let beganAt: Duration
    var heardAt: Duration?

    /// When the viewer gives the repairer up.
    var until: Duration {
      min((heardAt ?? beganAt) + Timers.repairerSilence, beganAt + Timers.blockMax)
    }
  }

  /// Packets from repairers that the app has vouched for.
  private(set) var provenCount = 0
  private(set) var failedCheckCount = 0
  /// Packets in blocks whose check failed.
  private(set) var refutedCount = 0
  private(set) var requests: [Request] = []
  private(set) var results: [Result] = []
  private let viewer: ViewerID
  private let blockSize: WireCount
  private var phase = Phase.idle
  /// Packets to fetch that were not requested yet.
  private var rest: Range<SequenceNumber> = 0..<0
  private var fetch: Fetch?
  private var unproven: UnprovenBatches
  private var spares: [Candidate] = []
  /// The repairer asked last: some of its packets may arrive twice.
  private var lastAsked: Endpoint?
  private var refused: Set<Endpoint> = []

  /// For fewer packets, the messages would outweigh the packets.
  private static let soughtCountMin: WireCount = 16
  private static let spareCountMax = 4
  /// After this many false or silent repairers, the viewer asks no more of them.
  private static let refusedCountMax = 64
  /// Blocks that wait for their proof while the next one arrives.
  private static let unprovenCountMax = 2

  /// - Parameter repairWindow: packets that the socket can buffer.
  init(viewer: ViewerID, repairWindow: WireCount, using random: inout SeededGenerator) {
    self.viewer = viewer
    blockSize = min(max(repairWindow.divided(by: 2), 8), WireCount(Limits.checkRangeSizeMax))
    unproven = UnprovenBatches(viewer: viewer, using: &random)
  }

  /// Packets that were requested and may still arrive.
  var outstandingCount: WireCount {
    fetch?.batch.missing.runs.lazy.map(\.length).sum ?? 0
  }

  /// Octets of packets that the app has not vouched for.
  var unfinishedSize: Int { (fetch?.batch.size ?? 0) + unproven.size }

  mutating func takeRequests() -> [Request] { requests.takeAll() }

  mutating func takeResults() -> [Result] { results.takeAll() }

  // MARK: Seeking

  /// Starts to look for a repairer, and cancels a search or a fetch under way. False if the search
  /// is not worth it.
  mutating func seek(_ packets: Range<SequenceNumber>, at now: Duration) -> Bool {
    cancel()
    guard packets.length >= Self.soughtCountMin, refused.count < Self.refusedCountMax
    else { return false }
    rest = packets
    phase = .seeking(repeatAt: now + Timers.seekRepeat, until: now + Timers.seekWait)
    sendSeek()
    return true
  }

  /// Drops everything under way, and calls nothing back.
  mutating func cancel() {
    phase = .idle
    rest = 0..<0
    (fetch, spares) = (nil, [])
    unproven.removeAll()
  }

  private mutating func sendSeek() {
    guard let wanted = rest.closed else { return }
    requests.append(.toViewers(Seek(viewer: viewer, wanted: wanted)))
  }

  mutating func receive(_ offer: Offer, from endpoint: Endpoint, at now: Duration) {
    guard offer.viewer == viewer, !refused.contains(endpoint) else { return }
    let repairer = Candidate(endpoint: endpoint, cookie: offer.cookie, held: offer.held)
    switch phase {
    case .idle: break
    case .seeking: _ = use(repairer, at: now)
    case .using(let present):
      guard present.endpoint != endpoint, spares.count < Self.spareCountMax,
        !spares.contains(where: { $0.endpoint == endpoint })
      else { return }
      spares.append(repairer)
    }
  }

  /// False if the repairer has none of the remaining packets.
  private mutating func use(_ repairer: Candidate, at now: Duration) -> Bool {
    let usable = rest.clamped(to: repairer.held.halfOpen)
    guard !usable.isEmpty else { return false }
    callBack(rest.lowerBound..<usable.lowerBound)
    callBack(usable.upperBound..<rest.upperBound)
    rest = usable
    phase = .using(repairer)
    lastAsked = repairer.endpoint
    fetchNext(at: now)
    return true
  }

  // MARK: Fetching

  /// Whether the packet is from the repairer asked last, or from one that was refused. If not, it
  /// counts as an impostor's.
  mutating func receive(_ packet: PacketView, from endpoint: Endpoint, at now: Duration) -> Bool {
    guard endpoint == lastAsked else { return refused.contains(endpoint) }
    guard fetch?.batch.add(packet) == true else { return true }
    fetch?.heardAt = now
    if fetch?.batch.isWhole == true { finishBlock(at: now) }
    return true
  }

  private mutating func finishBlock(at now: Duration) {
    guard let batch = fetch?.batch else { return }
    fetch = nil
    unproven.add(batch, at: now)
    fetchNext(at: now)
  }

  private mutating func fetchNext(at now: Duration) {
    guard case .using(let repairer) = phase, fetch == nil,
      unproven.count < Self.unprovenCountMax
    else { return }
    guard !rest.isEmpty else {
      // A block that waits for its proof needs no repairer.
      (phase, spares) = (.idle, [])
      return
    }
    let end = rest.lowerBound.advanced(by: min(blockSize, rest.length))
    let batch = PacketBatch(rest.lowerBound..<end, from: repairer.endpoint, at: now)
    rest = end..<rest.upperBound
    fetch = Fetch(batch: batch, beganAt: now)
  }

  /// Gives up the present repairer for good, and turns to the next one or back to the app.
  private mutating func refuse(at now: Duration) {
    guard case .using(let repairer) = phase else { return }
    refused.insert(repairer.endpoint)
    lastAsked = nil
    if let batch = fetch?.batch { rest = batch.packets.lowerBound..<rest.upperBound }
    fetch = nil
    while !spares.isEmpty {
      if use(spares.removeFirst(), at: now) { return }
    }
    callBack(rest)
    rest = 0..<0
    phase = .idle
  }

  private mutating func callBack(_ packets: Range<SequenceNumber>) {
    if !packets.isEmpty { results.append(.calledBack(packets)) }
  }

  // MARK: Checking

  mutating func receive(_ proof: Proof, at now: Duration) {
    for (batch, verdict) in unproven.receive(proof, at: now) { settle(batch, verdict, at: now) }
    fetchNext(at: now)
  }

  private mutating func settle(
    _ batch: PacketBatch, _ verdict: UnprovenBatches.Verdict, at now: Duration
  ) {
    switch verdict {
    case .proven:
      provenCount += batch.count
      results.append(.proven(batch))
    case .unknown: callBack(batch.packets)
    case .refuted:
      callBack(batch.packets)
      failedCheckCount += 1
      refutedCount += batch.count
      refused.insert(batch.repairer)
      spares.removeAll { $0.endpoint == batch.repairer }
      if case .using(let repairer) = phase, repairer.endpoint == batch.repairer { refuse(at: now) }
    }
  }

  // MARK: Time

  /// - Parameter repeatMin: the first wait for an answer.
  func deadline(repeatMin: Duration) -> Duration? {
    let seeking: Duration? =
      if case .seeking(let repeatAt, let until) = phase { repeatAt ?? until } else { nil }
    let fetching = fetch.map { min($0.until, askDue($0, repeatMin) ?? $0.until) }
    return .least(seeking, fetching, unproven.deadline)
  }

  /// While packets arrive, the missing ones are probably in flight.
  private func askDue(_ fetch: Fetch, _ repeatMin: Duration) -> Duration? {
    fetch.batch.missing.deadline.map { max($0, (fetch.heardAt ?? .zero) + repeatMin) }
  }

  mutating func advance(
    to now: Duration, cookie: Cookie, repeatMin: Duration, using random: inout SeededGenerator
  ) {
    if case .seeking(let repeatAt, let until) = phase {
      keepSeeking(repeatAt: repeatAt, until: until, at: now)
    }
    if let fetch, fetch.until <= now { refuse(at: now) }
    if let fetch, let due = askDue(fetch, repeatMin), due <= now {
      ask(at: now, repeatMin: repeatMin, using: &random)
    }
    let (check, unanswered) = unproven.advance(to: now, cookie: cookie, repeatMin: repeatMin)
    if let check { requests.append(.toApp(check)) }
    for batch in unanswered { settle(batch, .unknown, at: now) }
    if !unanswered.isEmpty { fetchNext(at: now) }
  }

  private mutating func keepSeeking(repeatAt: Duration?, until: Duration, at now: Duration) {
    if until <= now {
      callBack(rest)
      cancel()
    } else if let repeatAt, repeatAt <= now {
      phase = .seeking(repeatAt: nil, until: until)
      sendSeek()
    }
  }

  private mutating func ask(
    at now: Duration, repeatMin: Duration, using random: inout SeededGenerator
  ) {
    guard case .using(let repairer) = phase,
      let ranges = fetch?.batch.ask(at: now, repeatMin: repeatMin, using: &random), !ranges.isEmpty
    else { return }
    let nak = NAK(viewer: viewer, cookie: repairer.cookie, isHistory: true, ranges: ranges)
    requests.append(.toRepairer(repairer.endpoint, nak))
  }
}
