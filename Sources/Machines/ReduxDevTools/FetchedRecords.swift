import SurfWire

/// Records whose states the viewer's memory had to drop, and that came once more from the app
/// because somebody looked at them. They lie beside the timeline: that drops the oldest first, and
/// these are.
struct FetchedRecords: Sendable {
  /// The one that was looked at last is the last.
  private var records: [Record] = []
  /// Octets that are kept, unless one alone has more.
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

  mutating func drop(before row: SequenceNumber) { records.removeAll { $0.sequence < row } }
}

extension Record {
  fileprivate var contentSize: Int { state.size + (payload?.bytes.count ?? 0) }
}
