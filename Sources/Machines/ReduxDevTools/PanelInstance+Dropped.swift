import SurfTimeline
import SurfWire

// Rows whose states were dropped here, or never came, and that a person looks at all the same.
extension PanelInstance {
  /// Whether the app may have the state of a row that is here without it.
  func isFetchable(_ row: SequenceNumber) -> Bool {
    guard state(of: row) == nil else { return false }
    return switch timeline.row(row)?.state {
    case .dropped, .givenUp: true
    case .none?, .whole, .unreadable, nil: false
    }
  }

  /// The app sent a row again, with its state: panels must be told if it had none.
  mutating func complete(
    _ record: Record, _ state: Content, without before: Row.State?
  ) -> [PanelMessage] {
    guard fetched[record.sequence] == nil else { return [] }
    switch before {
    case .dropped, .givenUp: break
    case .none?, .whole, .unreadable, nil: return []
    }
    if timeline.state(of: record.sequence) == nil {
      var whole = record
      whole.state = .keyframe(state)
      fetched.keep(whole)
    }
    // Its payload is known already; only its state can tell whether it led to where history begins.
    if record.kind == .revision { learn(record) }
    arrange()
    return isLoaded ? [.whole] : []
  }

  /// The rows in the panel's list whose states were dropped here, and fit a frame.
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

  /// Jumps to a row that has come once more, or is not available.
  package func jump(toFetched row: SequenceNumber) -> [PanelReply] {
    if let content = state(of: row) {
      return [.reset(row: row, .bytes(content.bytes, contentType: content.type))]
    }
    return [.send(.error("row \(row) cannot be jumped to: \(absence(of: row))"))]
  }

  /// The rows that never came, from the first to the last; nil if there are none.
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
