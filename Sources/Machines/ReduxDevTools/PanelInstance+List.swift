import JSONTree
import SurfWire

// The rows of a panel's list, and the app's place among them.
extension PanelInstance {
  private enum Place {
    case at(Int)
    /// In a row that has not arrived yet.
    case ahead
    case outside
  }

  /// Rebuilds the list.
  mutating func arrange() {
    let oldest = timeline.rows.first?.number ?? 1
    var actions = rows.staged[...]
    if oldest > rows.origin.next {
      // The state of the first row stands for everything before it, unless it is the only row.
      let base = actions.count > 1 ? actions.removeFirst() : nil
      list.beginning = .cut(base: base)
    } else {
      list.beginning = .whole
    }
    list.arrange(actions, remarks: rows.remarks)
    locate()
  }

  /// Adds a record's row at the end of the list, if it belongs there.
  mutating func appendToList(_ record: Record) -> Bool {
    let isRemark = !isStep(record)
    let newest = isRemark ? rows.remarks.last : rows.staged.last
    guard newest == record.sequence else { return false }
    if case .cut(base: nil) = list.beginning, !isRemark { return false }
    return list.append(record.sequence, isRemark: isRemark)
  }

  /// Updates the app's place in the list.
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

  /// A commit starts history with the app's current state, whose row then leaves history: an app at
  /// that row is at the beginning. Only a comparison of the states shows this.
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
      // Remarks change no state: a panel at the last row must stay at the last.
      let isLast = list.ids[(index + 1)...].allSatisfy(isRemark)
      return .at(isLast ? list.ids.count : index + 1)
    }
    if rows.anchors.contains(row) { return beginningPlace }
    return row > timeline.rows.last?.number ?? 0 ? .ahead : .outside
  }

  /// Whether a row has neither action nor state, like log lines and most marks.
  func isRemark(_ row: SequenceNumber) -> Bool {
    guard let known = timeline.row(row) else { return false }
    return known.record.kind != .action && known.state == .none
  }

  /// Whether a row is an action. A dropped row was one: history names no others.
  func isAction(_ row: SequenceNumber) -> Bool {
    timeline.row(row).map { $0.record.kind == .action } ?? true
  }

  /// The row whose state the panel shows at an index: the row itself, or for a remark the action
  /// before it; nil for the beginning.
  func source(of index: Int) -> SequenceNumber? {
    list.ids[..<index].last { !isRemark($0) }
  }
}
