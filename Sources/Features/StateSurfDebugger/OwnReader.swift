internal import SurfDebugger
internal import SurfNetwork
internal import SurfTimeline
internal import SurfTransport
internal import SurfWire

/// Reads a program's own packets into a catalog, for `OwnSource`.
struct OwnReader: Sendable {
  /// Where to continue reading; nil before the first read.
  private(set) var place: SequenceNumber?
  private var records = OwnRecords()
  /// The newest record that was read or is known to be lost.
  private var newest: SequenceNumber = 0

  /// - Returns: the events for the debugger.
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
      // Only a base of later states.
      catalog.add(ArrivedRecord(record, isBase: true), to: session)
      return nil
    }
    // The program dropped the records between before they could be read.
    if number > newest.next { catalog.lose(newest.next...number.previous, of: session) }
    newest = number
    catalog.add(ArrivedRecord(record), to: session)
    return number...number
  }
}
