import SurfTimeline
import SurfWire

// Rows without a state, because it was dropped or never arrived, that a person looks at.
extension PanelInstance {
  /// Whether the app may still have the state of a row that lacks it here.
  func isFetchable(_ row: SequenceNumber) -> Bool {
    guard state(of: row) == nil else { return false }
    return switch timeline.row(row)?.state {
    case .dropped, .unmade: true
    case .none?, .whole, .givenUp, .unreadable, nil: false
    }
  }

  /// Takes a row that the app has sent again with its state. Panels are sent it if they lacked it.
  mutating func complete(
    _ record: Record, _ state: Content, without before: Row.State?
  ) -> [PanelMessage] {
    guard fetched[record.sequence] == nil else { return [] }
    switch before {
    case .dropped, .unmade: break
    case .none?, .whole, .givenUp, .unreadable, nil: return []
    }
    if timeline.state(of: record.sequence) == nil {
      var whole = record
      whole.state = .keyframe(state)
      fetched.keep(whole)
    }
    // The payload is known. Only the state can show that the command led to where history starts.
    if record.kind == .revision { learn(record) }
    arrange()
    return isLoaded ? [.whole] : []
  }

  /// The rows in the panel's list whose states were dropped here and would fit a frame.
  package var droppedInView: [SequenceNumber] {
    let sources = sources
    let last = sources.count - 1
    var room = bounds.frameSizeMax
    var rows: [SequenceNumber] = []
    for index in [min(list.index, last), 0] + (0...last).reversed() {
      guard let row = sources[index] else { continue }
      let size = sizeOnceFetched(row)
      guard size <= room || index == list.index else { break }
      room -= min(room, size)
      if case .dropped? = timeline.row(row)?.state, isFetchable(row), !rows.contains(row) {
        rows.append(row)
      }
    }
    return rows
  }

  private func sizeOnceFetched(_ row: SequenceNumber) -> Int {
    if case .dropped(let size)? = timeline.row(row)?.state { return size }
    return stateSize(of: row)
  }

  /// Jumps to a row that has been fetched again, or is not available.
  package func jump(toFetched row: SequenceNumber) -> [PanelReply] {
    if let content = state(of: row) {
      return [.reset(row: row, .bytes(content.bytes, contentType: content.type))]
    }
    return [.send(.error("row \(row) cannot be jumped to: \(absence(of: row))"))]
  }

  /// The range from the first to the last row that never arrived; nil if all arrived.
  package var unloaded: ClosedRange<SequenceNumber>? {
    let newest = timeline.newestNumber
    let oldest = max(newest.next.goingBack(by: WireCount(bounds.rowCountMax)), 1)
    let ranges = timeline.items.compactMap { item -> ClosedRange<SequenceNumber>? in
      guard case .notLoaded(let range) = item, range.upperBound >= oldest else { return nil }
      return max(range.lowerBound, oldest)...range.upperBound
    }
    guard let first = ranges.first, let last = ranges.last else { return nil }
    return first.lowerBound...last.upperBound
  }
}

/// Keeps records for `PanelInstance` that were dropped from memory and fetched again because a
/// person looked at them. The timeline would drop them immediately, because it drops its oldest
/// first.
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
