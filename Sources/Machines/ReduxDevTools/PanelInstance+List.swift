import JSONTree
import SurfWire

// What a panel is shown, and where the app is in it.
extension PanelInstance {
  private enum Place {
    case at(Int)
    /// In a row that will come.
    case ahead
    case outside
  }

  /// Brings the list up to date from the bottom up.
  mutating func arrange() {
    let oldest = timeline.rows.first?.number ?? 1
    var actions = rows.staged[...]
    if oldest > rows.origin.next {
      // The state of the first row stands for all before it, unless it is all that there is.
      let base = actions.count > 1 ? actions.removeFirst() : nil
      list.beginning = .cut(base: base)
    } else {
      list.beginning = .whole
    }
    list.arrange(actions, remarks: rows.remarks)
    locate()
  }

  /// Adds the row of a record to what is shown, if it can go behind all that is.
  mutating func appendToList(_ record: Record) -> Bool {
    let isRemark = record.kind != .action
    let newest = isRemark ? rows.remarks.last : rows.staged.last
    guard newest == record.sequence else { return false }
    if case .cut(base: nil) = list.beginning, !isRemark { return false }
    return list.append(record.sequence, isRemark: isRemark)
  }

  /// Learns where the app is in the list.
  mutating func locate() {
    compareWithBeginning()
    let place = place
    let end = list.ids.count
    list.tail = nil
    switch place {
    case .at(let index): list.index = index
    case .ahead: list.index = end
    case .outside:
      list.index = end + 1
      list.tail = .elsewhere(timeline.position)
    }
    guard rows.isPaused else { return }
    let isInRow = list.index < end
    list.tail = .paused(isInRow ? nil : timeline.position)
    if !isInRow { list.index = end + 1 }
  }

  private var place: Place {
    switch timeline.position {
    case .initial: return rows.beginsAtStart ? beginningPlace : .outside
    case .elsewhere: return .outside
    case .record(let row):
      // After a rewrite the app is in the state that the revision's own record carries.
      if row == rows.newestStaging {
        if let current = rows.current { return self.place(of: current) }
        return rows.isLeftAtBeginning ? beginningPlace : .outside
      }
      return self.place(of: row)
    }
  }

  /// A commit begins history with the state that the app is in, and that is the state of a row
  /// which is no part of history from then on: who is put there is at the beginning. Nobody but the
  /// states tells so.
  private mutating func compareWithBeginning() {
    guard case .record(let row) = timeline.position, row != rows.newestStaging,
      compared?.row != row || compared?.origin != rows.origin, !list.ids.contains(row),
      let state = timeline.state(of: row)
    else { return }
    compared = (row, rows.origin)
    rows.anchor(row, of: state)
  }

  private var beginningPlace: Place { list.beginning == .whole ? .at(0) : .outside }

  private func place(of row: SequenceNumber) -> Place {
    if list.beginning == .cut(base: row) { return .at(0) }
    if let index = list.ids.lastIndex(of: row) {
      // Remarks change nothing: a panel at the last row shall stay at the last.
      let isLast = list.ids[(index + 1)...].allSatisfy(isRemark)
      return .at(isLast ? list.ids.count : index + 1)
    }
    if rows.anchors.contains(row) { return beginningPlace }
    return row > timeline.rows.last?.number ?? 0 ? .ahead : .outside
  }

  /// What is no action and has no state: a log line, and most marks.
  func isRemark(_ row: SequenceNumber) -> Bool {
    guard let known = timeline.row(row) else { return false }
    return known.record.kind != .action && known.state == .none
  }

  /// What is gone was an action, or history would not tell of it.
  func isAction(_ row: SequenceNumber) -> Bool {
    timeline.row(row).map { $0.record.kind == .action } ?? true
  }

  /// The row whose state a row of the panel's shows: its own, or for a remark that of the action
  /// before; nil for the beginning's.
  func source(of index: Int) -> SequenceNumber? {
    list.ids[..<index].last { !isRemark($0) }
  }
}
