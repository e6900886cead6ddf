import JSONTree
import SurfWire

// The rows in a panel's list, and the app's place in it.
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
      // The state of the first row stands for all rows before it, unless it is the only row.
      let base = actions.count > 1 ? actions.removeFirst() : nil
      list.beginning = .cut(base: base)
    } else {
      list.beginning = .whole
    }
    list.arrange(actions, remarks: rows.remarks)
    locate()
  }

  /// Adds a record's row to the panel's list, if it can go behind all others.
  mutating func appendToList(_ record: Record) -> Bool {
    let isRemark = !isStep(record)
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
      // After a rewrite the app is in the state that the revision's record carries.
      if row == rows.newestStaging {
        if let current = rows.current { return self.place(of: current) }
        return rows.isLeftAtBeginning ? beginningPlace : .outside
      }
      return self.place(of: row)
    }
  }

  /// A commit begins history with the state that the app is in, whose row is no longer part of
  /// history: an app at that row is at the beginning. Only a comparison of the states shows this.
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
      // Remarks change nothing: a panel at the last row must stay at the last.
      let isLast = list.ids[(index + 1)...].allSatisfy(isRemark)
      return .at(isLast ? list.ids.count : index + 1)
    }
    if rows.anchors.contains(row) { return beginningPlace }
    return row > timeline.rows.last?.number ?? 0 ? .ahead : .outside
  }

  /// Has neither action nor state: a log line, and most marks.
  func isRemark(_ row: SequenceNumber) -> Bool {
    guard let known = timeline.row(row) else { return false }
    return known.record.kind != .action && known.state == .none
  }

  /// A row that is gone was an action: history names no others.
  func isAction(_ row: SequenceNumber) -> Bool {
    timeline.row(row).map { $0.record.kind == .action } ?? true
  }

  /// The row whose state the panel shows at an index: that row itself, or for a remark the action
  /// before; nil for the beginning's.
  func source(of index: Int) -> SequenceNumber? {
    list.ids[..<index].last { !isRemark($0) }
  }
}
