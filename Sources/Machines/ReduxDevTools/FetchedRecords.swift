import SurfWire

/// Records whose states the viewer had to drop from memory, and fetched again because a person
/// looked at them. They lie beside the timeline, which drops its oldest first: these would go at
/// once.
struct FetchedRecords: Sendable {
  /// The record that was looked at last comes last.
  private var records: [Record] = []
  /// The octets to keep, unless one record alone has more.
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
