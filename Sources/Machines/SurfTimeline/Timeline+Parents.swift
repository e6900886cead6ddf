import SurfWire

// A row's parent is the state that the app was in before it (Protocol.md §8.1). Lists, differences,
// searches and steps all use it.
extension Timeline {
  /// Where the app was before a row; nil if that is unknown, because earlier rows are missing.
  ///
  /// A record that moves the app names the state it grew from, unless that is where the records
  /// before it put the app. Other records change nothing: the app was where the last such record,
  /// or a later move, had put it.
  package func parent(of row: Row) -> Position? {
    parent(of: row, behind: row.record.grownFrom == nil ? recorded(before: row.number) : nil)
  }

  /// Where the app was at a row: at the row itself, or where it was before if the row has no state;
  /// nil if that is unknown, as behind an action whose state could not be encoded.
  package func inForce(at row: Row) -> Position? {
    guard row.state == .none else { return .record(row.number) }
    guard let parent = parent(of: row) else { return nil }
    let moves = markers.lazy.filter {
      $0.outcome == .applied && $0.target == parent && $0.afterRow < row.number
    }
    // The parent of a row that strangers sent may be behind it.
    let start = min(max(parent.row ?? 0, moves.map(\.afterRow).max() ?? 0), row.number)
    let since = firstIndex(from: start.next)..<firstIndex(from: row.number.next)
    return since.contains { rows[$0].leavesRecords } ? nil : parent
  }

  /// The row whose state is in force at a row: 0 is the initial state; nil if no row here has it.
  package func rowInForce(at number: SequenceNumber) -> SequenceNumber? {
    guard number > 0 else { return 0 }
    guard let origin = row(number).flatMap(inForce)?.row else { return nil }
    return origin == 0 || row(origin)?.isTarget == true ? origin : nil
  }

  /// - Parameter recorded: where the records before the row put the app, moves aside.
  package func parent(of row: Row, behind recorded: Position?) -> Position? {
    if let origin = row.record.grownFrom?.origin { return origin }
    guard let recorded, !row.record.hasTail else { return recorded }
    let start = recorded.row ?? 0
    let moves = markers.lazy.filter {
      $0.outcome == .applied && start <= $0.afterRow && $0.afterRow < row.number
    }
    return moves.max { $0.stamp < $1.stamp }?.target ?? recorded
  }

  /// Where the records before this one put the app, moves aside. If some of them are missing, where
  /// the app itself said that it was behind those; nil if it did not.
  package func recorded(before number: SequenceNumber) -> Position? {
    var next = number
    // In place: many lines of a log may come before, and copying each row would show.
    for index in (0..<firstIndex(from: number)).reversed() {
      guard rows[index].number.next == next else { break }
      if rows[index].isState { return .record(rows[index].number) }
      next = rows[index].number
    }
    if next == 1 { return .initial }
    return reported(behind: next.previous..<number)
  }

  /// Where the app said that it was, behind one of these records; nil if it did not.
  package func reported(behind records: Range<SequenceNumber>) -> Position? {
    let reports = [firstReport, (stamp.newestRecord, position)].compactMap(\.self)
    return reports.first { records.contains($0.record) }?.position
  }

  /// The state at a position, byte for byte; nil if no row carries it or it was dropped.
  package func state(at position: Position) -> Content? {
    position == .initial ? initialState : position.row.flatMap { state(of: $0) }
  }

  package func holdsState(at position: Position) -> Bool {
    position == .initial
      ? initialState != nil : position.row.flatMap { row($0) }?.holdsState ?? false
  }

  /// The size in bytes, even after the state was dropped.
  package func stateSize(at position: Position) -> Int? {
    position == .initial
      ? initialState?.bytes.count : position.row.flatMap { row($0) }?.stateSize
  }
}
