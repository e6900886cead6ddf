import SurfWire

/// The packets from the newest whole state to the newest state, and the records that they bring
/// (Protocol.md §10.7).
struct NewestState: Sendable {
  var window: Window
  /// From the first whole state on, in order, without those that come by another window.
  private(set) var records: [Record] = []
  /// The record with the newest state, if it is here.
  private(set) var newest: SequenceNumber?
  /// How often its packets were asked for since one came.
  private var vainAskCount = 0
  /// Whether the app has forgotten one of its packets that is missing.
  private(set) var isForgotten = false
  /// The records from here on come by another window.
  let end: SequenceNumber
  private var events: [ObserverEvent] = []
  /// Octets of the records.
  private(set) var recordsSize = 0

  init(of session: SessionID, packets: Range<SequenceNumber>, before end: SequenceNumber) {
    window = Window(of: session, from: packets.lowerBound, to: packets.upperBound)
    self.end = end
  }

  /// A packet has come.
  mutating func note(_ packet: SequenceNumber) {
    if window.rest.contains(packet) { vainAskCount = 0 }
  }

  mutating func read(_ packets: inout PacketStore) {
    window.read(&packets, into: &events)
    for case .record(_, let arrived) in events { note(arrived.record) }
    events.removeAll(keepingCapacity: true)
  }

  /// Notes the packets just asked for, by requests from this number on.
  mutating func noteAsked(from number: Int, of missing: MissingRuns) {
    if missing.part(in: window.rest).isAsked(from: number) { vainAskCount += 1 }
  }

  /// Whether this many requests in a row have brought nothing, and one more is due.
  func isInVain(after askMax: Int, of missing: MissingRuns, at now: Duration) -> Bool {
    vainAskCount >= askMax && missing.part(in: window.rest).deadline.map { $0 <= now } == true
  }

  /// Only these are kept of what lies below the edge.
  mutating func note(
    edge: SequenceNumber, keeping kept: Range<SequenceNumber>, of missing: MissingRuns
  ) {
    isForgotten =
      isForgotten || missing.part(in: window.rest).hasForgotten(below: edge, keeping: kept)
  }

  private mutating func note(_ record: Record) {
    // The end of an older chain, whose beginning the backlog may have.
    if newest == nil, record.base != nil || !record.carriesState { return }
    if record.carriesState { newest = record.sequence }
    guard record.sequence < end else { return }
    records.append(record)
    recordsSize += record.heldSize
  }
}

/// How far the states of live records can be made, and the records that wait for one that cannot.
struct LiveChain: Sendable {
  /// The newest record with a state that was passed on.
  private var newest: SequenceNumber = 0
  private var maker = MadeStates()
  private var held: [Record] = []
  /// Octets of the waiting records.
  private(set) var heldSize = 0

  /// Waiting records are small, but not without bound.
  private static let heldCountMax = 4_096

  /// The newest record that was lost, or came by another way: this chain does not have its state.
  private var lacking: SequenceNumber = 0

  /// Whether later states can be made of the one that was passed last.
  var isWhole: Bool { held.isEmpty && maker.newest == newest && maker.newest >= lacking }
  /// Whether nothing waits.
  var isEmpty: Bool { held.isEmpty }
  /// The records that wait.
  var waiting: [SequenceNumber] { held.map(\.sequence) }
  var isFull: Bool { held.count >= Self.heldCountMax }

  /// Whether the record must not be delivered yet. To keep order, all records behind one that waits
  /// do, too.
  func mustWait(_ record: Record) -> Bool {
    if !held.isEmpty { return true }
    return record.base.map { $0 != newest } ?? false
  }

  mutating func hold(_ record: Record) {
    held.append(record)
    heldSize += record.heldSize
  }

  /// The record is delivered; later states may differ from its.
  ///
  /// - Returns: false if its state cannot be made.
  @discardableResult
  mutating func pass(_ record: Record) -> Bool {
    if record.carriesState { newest = record.sequence }
    return maker.pass(record)
  }

  /// Records up to this one are lost. If an outage brings them after all, it brings no state of
  /// this chain.
  mutating func noteLost(upTo record: SequenceNumber) { lacking = max(lacking, record) }

  /// Records released without a state still lack it: records that differ from them wait once more.
  mutating func breakOff() {
    guard newest != maker.newest else { return }
    lacking = max(lacking, newest)
    newest = maker.newest
  }

  /// Stops waiting for a record that came with its state by another way.
  mutating func drop(_ record: SequenceNumber) {
    guard let index = held.firstIndex(where: { $0.sequence == record }) else { return }
    heldSize -= held.remove(at: index).heldSize
    lacking = max(lacking, record)
  }

  /// All waiting records, whether or not their states can be made by now.
  ///
  /// - Returns: the records, and which of them are without a state.
  mutating func release() -> (records: [Record], unmade: Set<SequenceNumber>) {
    defer { (held, heldSize) = ([], 0) }
    return (held, Set(held.filter { !pass($0) }.map(\.sequence)))
  }
}

/// Which states of a chain can be made, judged by their bases.
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
  /// Octets that it takes to hold it, roughly.
  fileprivate var heldSize: Int {
    state.size + (payload?.bytes.count ?? 0) + name.utf8.count + 256
  }
}

extension StreamProgress {
  /// The packets of the newest state; empty if there is none.
  var stateExtent: Range<SequenceNumber> {
    newestStatePacket..<newestStatePacket.advanced(by: newestStatePacketCount)
  }
}
