import SurfWire

/// Keeps, for `PanelInstance`, records that were dropped from memory and fetched again because a
/// person looked at them. The timeline would drop them at once: it drops its oldest first.
struct FetchedRecords: Sendable {
  /// The latest to be fetched is last.
  private var records: [Record] = []
  /// The octets to keep; a single record may have more.
  private let byteCountMax: Int

  init(byteCountMax: Int) { self.byteCountMax = byteCountMax }

  var byteCount: Int { records.reduce(0) { $0 + $1.contentSize } }

  subscript(_ row: SequenceNumber) -> Record? { records.last { $0.sequence == row } }

  func state(of row: SequenceNumber) -> Content? {
    if case .keyframe(let content)? = self[row]?.state { content } else { nil }
  }

  mutating func keep(_ record: Record) {
    records.removeAll { $0.sequence == record.sequence }
    records.append(record)
    while records.count > 1, byteCount > byteCountMax { records.removeFirst() }
  }

  mutating func removeAll() { records = [] }

  mutating func drop(before row: SequenceNumber) { records.removeAll { $0.sequence < row } }
}

extension Record {
  fileprivate var contentSize: Int { state.size + (payload?.bytes.count ?? 0) }
}
