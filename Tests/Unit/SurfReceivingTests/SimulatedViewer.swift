import SurfReceiving
import SurfTransport
import SurfWire
import TestSupport

/// A viewer that follows each session it hears of, and writes down what it was given.
struct SimulatedViewer {
  /// The output of one receiver, and its duties.
  struct Log {
    var receiver: Receiver
    var states = RecordDecoder()
    /// Records before it were there when the viewer joined.
    var boundary: SequenceNumber
    /// The first record that it must deliver, or report as lost.
    var first: SequenceNumber
    var records: [Record] = []
    var restored: [Restored] = []
    var lost: [ClosedRange<SequenceNumber>] = []
    /// Records that were reported as lost, and had come.
    var deniedCount = 0
    /// Records that came after they were reported as lost.
    var recovered: Set<SequenceNumber> = []
    var caughtUpCount = 0
    var goneCount = 0
    var joinedAt = Duration.zero
    var lastDelivery = Duration.zero

    /// A record that was reported as lost has come.
    mutating func recover(_ record: SequenceNumber) {
      guard let index = lost.firstIndex(where: { $0.contains(record) }) else { return }
      let range = lost.remove(at: index)
      recovered.insert(record)
      if range.lowerBound < record { lost.append(range.lowerBound...record.previous) }
      if record < range.upperBound { lost.append(record.next...range.upperBound) }
    }

    /// A record, or the state of one that came without it.
    mutating func complete(_ record: Record) {
      let index = records.lastIndex { $0.sequence == record.sequence && $0.state == .unmade }
      guard let index else { return records.append(record) }
      records[index] = record
    }

    /// Whether all up to `newest` is here or known to be lost.
    func isComplete(to newest: SequenceNumber) -> Bool {
      let wished = records.lazy.filter { $0.sequence >= first }.count
      let lostCount = lost.map(\.count).reduce(0, +)
      guard caughtUpCount > 0 else { return false }
      return first > newest || wished + lostCount >= (first...newest).count
    }
  }

  let id: ViewerID
  let wish: HistoryRequest
  /// Deaf until then.
  let joinsAt: Duration
  /// Packets that its socket has room for.
  var repairWindow = 128
  /// The repairs that it does for others, and asks of them.
  let repair: PeerRepairOptions
  /// What becomes of the packets that it sends to others.
  let deceit: Deceit?
  private(set) var logs: [SessionID: Log] = [:]
  private var requests: [Datagram] = []
  private var localRequests: [(Destination, Datagram)] = []
  private var random: SeededGenerator

  /// The tricks of a hostile repairer.
  enum Deceit: CaseIterable {
    case flipsBit, flipsSeldom, swapsPackets, invents, cuts, fallsSilent, promisesTooMuch
  }

  init(
    id: UInt64, wish: HistoryRequest, joinsAt: Duration,
    repair: PeerRepairOptions = PeerRepairOptions(),
    deceit: Deceit? = nil, seed: UInt64
  ) {
    self.id = ViewerID(rawValue: id)
    self.wish = wish
    self.joinsAt = joinsAt
    self.repair = repair
    self.deceit = deceit
    random = SeededGenerator(seed: seed)
  }

  func deadline(at now: Duration) -> Duration? {
    logs.values.flatMap { [$0.receiver.deadline, $0.receiver.servingDeadline(at: now)] }
      .compactMap { $0 }.min()
  }

  var naksSent: Int { logs.values.reduce(0) { $0 + $1.receiver.counters.naksSent } }

  mutating func takeRequests() -> [Datagram] {
    defer { requests = [] }
    return requests
  }

  mutating func takeLocalRequests() -> [(Destination, Datagram)] {
    defer { localRequests = [] }
    return localRequests
  }

  mutating func nextServed(at now: Duration) -> Transmission? {
    for (session, var log) in logs {
      logs[session] = nil
      let served = log.receiver.nextServed(at: now)
      logs[session] = log
      if let served { return served }
    }
    return nil
  }

  /// What another viewer sent. False for a packet that it was not asked for.
  mutating func receive(
    _ datagram: Datagram, from origin: Int, sealed: [UInt8]?, at now: Duration
  ) -> Bool {
    guard now >= joinsAt, var log = logs[datagram.session] else { return true }
    logs[datagram.session] = nil
    var isExpected = true
    let endpoint = Endpoint(rawValue: UInt64(origin))
    switch datagram.body {
    case .seek(let seek): log.receiver.receive(seek, from: endpoint, at: now)
    case .nak(let nak): log.receiver.receive(nak, from: endpoint, at: now)
    case .offer(let offer): log.receiver.receive(offer, from: endpoint, at: now)
    case .data(let packet):
      PacketTrain.with(packet, of: datagram.session, sealed: sealed) {
        isExpected = log.receiver.receive($0, from: endpoint, at: now)
      }
    default: isExpected = false
    }
    settle(log, at: now)
    return isExpected
  }

  mutating func receive(_ datagram: Datagram, sealed: [UInt8]?, at now: Duration) {
    guard now >= joinsAt else { return }
    if case .heartbeat(let heartbeat) = datagram.body, logs[datagram.session] == nil {
      join(datagram.session, heartbeat, at: now)
    } else if var log = logs[datagram.session] {
      logs[datagram.session] = nil
      log.receiver.receive(datagram, sealed: sealed, at: now)
      settle(log, at: now)
    }
  }

  mutating func advance(to now: Duration) {
    for (_, var log) in logs {
      guard let deadline = log.receiver.deadline, deadline <= now else { continue }
      log.receiver.advance(to: now)
      settle(log, at: now)
    }
  }

  /// Wants once more what it had.
  mutating func refetch(
    _ records: ClosedRange<SequenceNumber>, of session: SessionID, at now: Duration
  ) {
    guard var log = logs[session] else { return }
    logs[session] = nil
    log.receiver.refetch(records, at: now)
    settle(log, at: now)
  }

  /// Wants all of the past, which may bring again what it had.
  mutating func wantAll(of session: SessionID, at now: Duration) {
    guard var log = logs[session] else { return }
    logs[session] = nil
    log.receiver.follow(.since(1), at: now)
    settle(log, at: now)
  }

  private mutating func join(_ session: SessionID, _ heartbeat: Heartbeat, at now: Duration) {
    let newest = heartbeat.progress.newestRecord
    let boundary = max(newest, 1)
    let first =
      switch wish {
      case .newestState: boundary
      case .last(let count): max(newest.next.goingBack(by: count), 1)
      case .since(let sequence): max(sequence, 1)
      }
    var receiver = Receiver(
      session: session, viewer: id, viewerName: "v", repairWindow: repairWindow, repair: repair,
      seed: random.next(), at: now)
    receiver.receive(heartbeat, at: now)
    receiver.follow(wish, at: now)
    var log = Log(receiver: receiver, boundary: boundary, first: min(first, boundary))
    log.joinedAt = now
    settle(log, at: now)
  }

  private mutating func settle(_ log: Log, at now: Duration) {
    var log = log
    requests += log.receiver.takeRequests()
    localRequests += log.receiver.takeLocalRequests()
    for output in log.receiver.takeEvents() {
      switch output {
      case .record(_, let arrived):
        var record = arrived.record
        log.states.resolve(&record, from: arrived.origin)
        guard !arrived.isBase else { continue }
        log.recover(record.sequence)
        log.complete(record)
        log.lastDelivery = now
      case .restored(_, let restored): log.restored.append(restored)
      case .lost(_, let range):
        log.lost.append(range)
        log.deniedCount += log.records.filter { range.contains($0.sequence) }.count
      case .caughtUp: log.caughtUpCount += 1
      // Must not happen: no app lies here.
      case .retracted: log.caughtUpCount = .max / 2
      case .gone: log.goneCount += 1
      case .appeared, .heartbeat, .values: break
      }
    }
    logs[log.receiver.session] = log
  }
}

extension Receiver {
  /// Its events since the last call.
  mutating func takeEvents() -> [ObserverEvent] {
    _ = summarize()
    return sink.take()
  }

  mutating func receive(_ packet: DataPacket, sealed: [UInt8]? = nil, at now: Duration) {
    PacketTrain.with(packet, of: session, sealed: sealed) { receive($0, at: now) }
  }

  /// As the driver does, for what is addressed to a viewer.
  mutating func receive(_ datagram: Datagram, sealed: [UInt8]? = nil, at now: Duration) {
    switch datagram.body {
    case .data(let packet): receive(packet, sealed: sealed, at: now)
    case .heartbeat(let heartbeat): receive(heartbeat, at: now)
    case .goodbye(let goodbye): receive(goodbye, at: now)
    case .welcome(let welcome): receive(welcome, at: now)
    case .probe, .hello, .nak, .reset, .resetProgress, .outcome, .windowUpdate, .check: break
    case .proof(let proof): receive(proof, at: now)
    case .valueReply(let reply): receive(reply, at: now)
    case .seek, .offer, .valueRequest: break
    }
  }
}
