import SurfWire

/// The packets of one session that can still be sent, or sent again: bounded in bytes and in age.
///
/// It holds an unbroken run of sequences, and besides it the packets of the newest record with a
/// state, which are kept for ever: whoever joins late can always see where the app is.
struct PacketHistory: Sendable {
  struct Packet: Sendable {
    var datagram: [UInt8]
    /// The newest record that begins in this packet or in one before it.
    var newestRecord: UInt64
    var sentAt: Duration?
    var repair = Repair.none
  }

  /// What happens to a packet that somebody missed.
  enum Repair: Equatable, Sendable {
    case none
    case queued(for: Destination)
    case sent(to: Destination, at: Duration)
  }

  /// Sequence numbers of the packets that carry one record.
  struct Extent: Sendable {
    var first: UInt64
    var last: UInt64
  }

  private var run = Queue<Packet>()
  private var pinned: [UInt64: Packet] = [:]
  private var unsentStates = Queue<Extent>()
  private var openState: UInt64?
  private var unsentRecords = Queue<(record: UInt64, packet: UInt64)>()
  private let sizeMax: Int
  private let ageMax: Duration

  /// The trailing edge.
  private(set) var oldest: UInt64 = 1
  /// The next packet that has never been sent.
  private(set) var nextUnsent: UInt64 = 1
  private(set) var size = 0
  private(set) var unsentSize = 0
  /// The newest record with a state of which every packet was sent.
  private(set) var newestState: Extent?
  private(set) var newestRecord: (record: UInt64, packet: UInt64) = (0, 0)
  /// The newest record that begins before `oldest`: it can no longer be had from its beginning.
  private var newestEvictedRecord: UInt64 = 0

  init(sizeMax: Int, ageMax: Duration) {
    self.sizeMax = sizeMax
    self.ageMax = ageMax
  }

  /// The sequence that the next appended packet gets.
  var end: UInt64 { oldest + UInt64(run.count) }
  var hasUnsent: Bool { nextUnsent < end }

  mutating func append(_ body: Packer.Body, datagram: [UInt8]) {
    let sequence = end
    if let record = body.beginsRecord { unsentRecords.append((record, sequence)) }
    if let state = openState, body.endsState != nil {
      unsentStates.append(Extent(first: state, last: sequence))
      openState = nil
    }
    if body.beginsState != nil {
      if body.endsState == body.beginsState {
        unsentStates.append(Extent(first: sequence, last: sequence))
      } else {
        openState = sequence
      }
    }
    let newest = body.beginsRecord ?? run.last?.newestRecord ?? newestEvictedRecord
    run.append(Packet(datagram: datagram, newestRecord: newest))
    size += datagram.count
    unsentSize += datagram.count
  }

  /// Takes the next packet that has never been sent.
  mutating func sendNext(at now: Duration) -> [UInt8]? {
    guard hasUnsent else { return nil }
    let position = Int(nextUnsent - oldest)
    run[position].sentAt = now
    let datagram = run[position].datagram
    unsentSize -= datagram.count
    while let next = unsentRecords.first, next.packet <= nextUnsent {
      newestRecord = next
      _ = unsentRecords.popFirst()
    }
    while let state = unsentStates.first, state.last <= nextUnsent {
      newestState = state
      pinned.removeAll()
      _ = unsentStates.popFirst()
    }
    nextUnsent += 1
    return datagram
  }

  /// Lets go of what is too much or too old. What was never sent stays.
  mutating func evict(at now: Duration) {
    while oldest < nextUnsent, let packet = run.first, let sentAt = packet.sentAt,
      size > sizeMax || now - sentAt > ageMax
    {
      _ = run.popFirst()
      size -= packet.datagram.count
      newestEvictedRecord = packet.newestRecord
      if let state = newestState, (state.first...state.last).contains(oldest) {
        pinned[oldest] = packet
      }
      oldest += 1
    }
  }

  /// A sent packet that is still here, to look at and to mark.
  subscript(sequence: UInt64) -> Packet? {
    get {
      guard sequence < nextUnsent else { return nil }
      if sequence >= oldest { return run[Int(sequence - oldest)] }
      return pinned[sequence]
    }
    set {
      guard let newValue, sequence < nextUnsent else { return }
      if sequence >= oldest {
        run[Int(sequence - oldest)] = newValue
      } else if pinned[sequence] != nil {
        pinned[sequence] = newValue
      }
    }
  }

  /// The oldest record not before `record` that can be had from its beginning, and the packet in
  /// which it begins; nil if there is none.
  func locate(since record: UInt64) -> (record: UInt64, packet: UInt64)? {
    let wanted = max(record, newestEvictedRecord &+ 1)
    guard wanted <= newestRecord.record else { return nil }
    let position = run.partition { $0.newestRecord >= wanted }
    return (wanted, oldest + UInt64(position))
  }
}
