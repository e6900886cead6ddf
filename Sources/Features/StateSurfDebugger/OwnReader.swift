internal import SurfDebugger
internal import SurfNetwork
internal import SurfTimeline
internal import SurfTransport
internal import SurfWire

/// Puts a program's own packets into a catalog.
struct OwnReader: Sendable {
  /// Where the next reading begins; nil for the first.
  private(set) var place: SequenceNumber?
  private var records = OwnRecords()
  /// The newest record that was read, or is known to be gone.
  private var newest: SequenceNumber = 0

  /// - Returns: what a debugger must hear.
  mutating func read(_ packets: OwnPackets, into catalog: inout Catalog) -> [DebuggerEvent] {
    let session = packets.session
    let isNew = place == nil
    place = packets.next
    let before = catalog[session].map { ($0.heartbeat.control, $0.heartbeat.position) }
    catalog.hear(session, packets.heartbeat)
    if isNew, let oldest = packets.oldestRecord, oldest > 1 {
      catalog.lose(1...oldest.previous, of: session)
      newest = oldest.previous
    }
    var changed: SequenceRanges = SequenceRanges()
    var hasNews =
      before.map { $0 != (packets.heartbeat.control, packets.heartbeat.position) } ?? true
    for item in packets.packets.flatMap({ records.items(in: $0) }) {
      switch item {
      case .restored(let restored): hasNews = catalog.note(restored, by: session) != nil || hasNews
      case .record(let record): add(record, of: session, to: &catalog).map { changed.insert($0) }
      }
    }
    return changed.runs.map { .rows(session, $0) } + (hasNews ? [.news] : [])
  }

  private mutating func add(
    _ record: Record, of session: SessionID, to catalog: inout Catalog
  ) -> ClosedRange<SequenceNumber>? {
    let number = record.sequence
    guard number > newest else {
      // Only what later states are made of.
      catalog.add(ArrivedRecord(record, isBase: true), to: session)
      return nil
    }
    // The program has given up what lies between, before it could be read.
    if number > newest.next { catalog.lose(newest.next...number.previous, of: session) }
    newest = number
    catalog.add(ArrivedRecord(record), to: session)
    return number...number
  }
}
