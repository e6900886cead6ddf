import SurfWire

/// The window from the newest keyframe to the newest state, and its records so far (Protocol.md
/// §10.7). `SessionReader` opens it when the viewer joins, and again when the base of a live record
/// is missing.
struct NewestState: Sendable {
  var window: Window
  /// The records from the first keyframe on, in order, and before `end`.
  private(set) var records: [Record] = []
  /// The record with the newest state so far.
  private(set) var newest: SequenceNumber?
  /// How many requests in a row have had no answer.
  private var vainAskCount = 0
  /// Whether the app has dropped one of the missing packets.
  private(set) var isForgotten = false
  /// Other windows deliver the records from this one on.
  let end: SequenceNumber
  private(set) var recordsSize = 0

  init(of session: SessionID, packets: Range<SequenceNumber>, before end: SequenceNumber) {
    window = Window(of: session, from: packets.lowerBound, to: packets.upperBound)
    self.end = end
  }

  mutating func note(_ packet: SequenceNumber) {
    if window.rest.contains(packet) { vainAskCount = 0 }
  }

  mutating func read(_ packets: inout PacketStore) {
    var events: [ObserverEvent] = []
    window.read(&packets, into: &events)
    for case .record(_, let arrived) in events { note(arrived.record) }
  }

  /// Call it after packets were requested, with the number of the first request.
  mutating func noteAsked(from number: Int, of missing: MissingRuns) {
    if missing.part(in: window.rest).isAsked(from: number) { vainAskCount += 1 }
  }

  /// Whether `askMax` requests in a row have had no answer, and another is due.
  func isInVain(after askMax: Int, of missing: MissingRuns, at now: Duration) -> Bool {
    vainAskCount >= askMax && missing.part(in: window.rest).deadline.map { $0 <= now } == true
  }

  /// The app has dropped the packets below `edge`, except those in `kept`.
  mutating func note(
    edge: SequenceNumber, keeping kept: Range<SequenceNumber>, of missing: MissingRuns
  ) {
    isForgotten =
      isForgotten || missing.part(in: window.rest).hasForgotten(below: edge, keeping: kept)
  }

  private mutating func note(_ record: Record) {
    // The end of an older chain. The backlog may have its beginning.
    if newest == nil, record.base != nil || !record.carriesState { return }
    if record.carriesState { newest = record.sequence }
    guard record.sequence < end else { return }
    records.append(record)
    recordsSize += record.heldSize
  }
}

/// The chain of live states for `SessionReader`: which state can be made, and the records that wait
/// because the base of their state is missing.
struct LiveChain: Sendable {
  /// The newest record with a state that was passed on.
  private var newest: SequenceNumber = 0
  private var maker = MadeStates()
  private var held: [Record] = []
  /// Octets of the waiting records.
  private(set) var heldSize = 0

  /// Waiting records are small, but their number needs a limit.
  private static let heldCountMax = 4_096

  /// The newest record that was lost, or delivered by another window: this chain does not have its
  /// state.
  private var lacking: SequenceNumber = 0

  /// Whether later states can be made from the last state that was passed on.
  var isWhole: Bool { held.isEmpty && maker.newest == newest && maker.newest >= lacking }
  /// Whether no record waits.
  var isEmpty: Bool { held.isEmpty }
  var waiting: [SequenceNumber] { held.map(\.sequence) }
  var isFull: Bool { held.count >= Self.heldCountMax }

  /// Whether the record must wait. To keep the order, every record after a waiting one waits too.
  func mustWait(_ record: Record) -> Bool {
    if !held.isEmpty { return true }
    return record.base.map { $0 != newest } ?? false
  }

  mutating func hold(_ record: Record) {
    held.append(record)
    heldSize += record.heldSize
  }

  /// Notes that the record is delivered. The next state may be a delta from this one. Returns false
  /// if the record's state cannot be made.
  @discardableResult
  mutating func pass(_ record: Record) -> Bool {
    if record.carriesState { newest = record.sequence }
    return maker.pass(record)
  }

  /// Notes that records up to this one are lost. If they arrive after an outage, their states are
  /// not part of this chain.
  mutating func noteLost(upTo record: SequenceNumber) { lacking = max(lacking, record) }

  /// Call it after records were released without states. Records with deltas from those wait again.
  mutating func breakOff() {
    guard newest != maker.newest else { return }
    lacking = max(lacking, newest)
    newest = maker.newest
  }

  /// Removes a waiting record, because another window delivered it.
  mutating func drop(_ record: SequenceNumber) {
    guard let index = held.firstIndex(where: { $0.sequence == record }) else { return }
    heldSize -= held.remove(at: index).heldSize
    lacking = max(lacking, record)
  }

  /// Takes all waiting records, whether or not their states can be made. Returns the records, and
  /// those of them without a state.
  mutating func release() -> (records: [Record], unmade: Set<SequenceNumber>) {
    defer { (held, heldSize) = ([], 0) }
    return (held, Set(held.filter { !pass($0) }.map(\.sequence)))
  }
}

/// Which states of a chain can be made, judged by the bases of the records. `LiveChain` and
/// `PastReader` have one each.
struct MadeStates: Sendable {
  private(set) var newest: SequenceNumber = 0

  /// - Returns: false if the record's state cannot be made.
  mutating func pass(_ record: Record) -> Bool {
    guard record.carriesState else { return true }
    guard record.base.map({ $0 == newest }) ?? true else { return false }
    newest = record.sequence
    return true
  }
}

extension Record {
  /// Roughly the octets that it takes in memory.
  fileprivate var heldSize: Int { roughSize + 256 }
}

extension StreamProgress {
  /// The packets of the newest state; empty if there is none.
  var stateExtent: Range<SequenceNumber> {
    newestStatePacket..<newestStatePacket.advanced(by: newestStatePacketCount)
  }
}
