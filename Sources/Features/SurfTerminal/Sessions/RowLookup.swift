import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

/// Looks for the rows that the user named in an instance's timeline, for `TargetTask.decide`. Rows
/// may still be arriving: it throws what to do instead.
struct RowLookup {
  typealias Decision = TargetTask.Decision

  let instance: Instance
  /// Whether everything that was requested has arrived, as far as it ever will.
  let isComplete: Bool
  /// Whether all rows were requested, so that another request is useless.
  let isAll: Bool
  /// Whether to ask the app for the state of row 0, which adds a row to its history.
  var mayAsk = false

  private var timeline: Timeline { instance.timeline }

  func number(_ reference: RowReference) throws(Decision) -> SequenceNumber {
    switch reference {
    case .number(let number): return number
    case .tip(let before): return try tip(before)
    case .app: return try app()
    }
  }

  private func app() throws(Decision) -> SequenceNumber {
    guard let number = timeline.position.row else {
      throw .fail(
        Failure(
          "\(instance.label) is in a state that is in no row",
          meaning: "It acts while its recording is paused, or its state could not be recorded.",
          advice: "tip, which is the newest row with a state"))
    }
    // A late viewer learns where the app is before it has the state of that row.
    let isHere = number == 0 || timeline.row(number)?.holdsState == true
    guard isHere || isComplete else { throw .wait }
    return number
  }

  private func tip(_ before: Int) throws(Decision) -> SequenceNumber {
    let count = WireCount(before)
    let (step, left) = timeline.target(beforeNewest: count, skipsHoles: isComplete && isAll)
    switch step {
    case .row(let number): return number
    case .end: throw .fail(beyondBeginning(before, rowCount: count.subtracting(left)))
    case .notLoaded: throw further
    }
  }

  /// - Parameter rowCount: how many rows with a state there are.
  private func beyondBeginning(_ before: Int, rowCount: WireCount) -> Failure {
    let have = rowCount == 1 ? "has" : "have"
    return Failure(
      "tip~\(before) is before the beginning of \(instance.label)",
      meaning: rowCount.isZero
        ? "It has no row with a state yet." : "Only \(rowCount) of its rows \(have) a state.",
      advice: rowCount < 2
        ? "initial" : "tip~\(rowCount.subtracting(1)), the first of them, or initial")
  }

  /// The number of an existing row, whatever its kind.
  func existing(_ reference: RowReference) throws(Decision) -> SequenceNumber {
    let number = try number(reference)
    if number > timeline.newestNumber { throw .fail(absent(number)) }
    return number
  }

  /// The state of a row, or its payload; nil for the initial state if the app does not send it.
  func content(
    _ number: SequenceNumber, payload: Bool = false
  ) throws(Decision) -> Content? {
    guard number > 0 else { return try payload ? nil : initial() }
    let row = try row(number)
    guard let content = payload ? row.record.payload : timeline.state(of: number) else {
      throw .fail(
        Failure(
          "row \(number) of \(instance.label) carries no \(payload ? "payload" : "state")",
          meaning: payload ? Self.kind(of: row) : Self.why(row),
          advice: payload ? "" : nearest(to: number)))
    }
    return content
  }

  /// The row whose state is in force at a row, and a note if that is another row.
  func inForce(
    _ number: SequenceNumber
  ) throws(Decision) -> (row: SequenceNumber, note: String?) {
    guard number > 0 else { return (0, nil) }
    let row = try row(number)
    guard let note = inForceText(of: row, in: timeline) else { return (number, nil) }
    let place = timeline.inForce(at: row)
    if place.map(isAbsent) ?? true, !(isComplete && isAll) { throw further }
    guard let origin = place?.row else {
      throw .fail(Failure(note, meaning: Self.kind(of: row), advice: nearest(to: number)))
    }
    return (origin, note)
  }

  /// Whether the state's row was not requested yet.
  private func isAbsent(_ position: Position) -> Bool {
    guard let row = position.row, row > 0 else { return false }
    return timeline.row(row) == nil && !timeline.lost.contains(row)
  }

  /// The loaded rows with a state around one that has none, as advice; empty without such rows.
  private func nearest(to number: SequenceNumber) -> String {
    let index = timeline.firstIndex(from: number)
    let before = timeline.rows[..<index].last(where: \.holdsState)?.number
    let after = timeline.rows[index...].first(where: \.holdsState)?.number
    let numbers = [before, after].compactMap { $0.map { "\($0)" } }
    return numbers.isEmpty ? "" : "row \(numbers.joined(separator: " or "))"
  }

  /// The state of row 0 if the app sent it recently; otherwise asks the app for it.
  private func initial() throws(Decision) -> Content? {
    if let state = timeline.initialState { return state }
    guard mayAsk else { return nil }
    throw isComplete ? .ask : .wait
  }

  /// The row, and the row that it grew from.
  func parent(
    of reference: RowReference
  ) throws(Decision) -> (parent: SequenceNumber, row: SequenceNumber) {
    let number = try number(reference)
    guard number > 0 else { throw .fail(orphan(0, "It is the initial state.")) }
    guard let parent = timeline.parent(of: try row(number)) else {
      throw isComplete && isAll ? .fail(orphan(number, "Rows before it are missing.")) : further
    }
    guard let origin = parent.row else {
      throw .fail(orphan(number, "It grew from a state that is in no row."))
    }
    if let row = timeline.row(origin), !row.holdsState {
      throw .fail(orphan(number, "It grew from row \(origin). \(Self.why(row))"))
    }
    if isAbsent(parent), !(isComplete && isAll) { throw further }
    return (origin, number)
  }

  /// Waits for more rows, or requests all of them.
  private var further: Decision { isComplete ? .loadAll : .wait }

  private func orphan(_ number: SequenceNumber, _ meaning: String) -> Failure {
    Failure(
      "row \(number) of \(instance.label) has no state before it to compare with",
      meaning: meaning,
      advice: "statesurf diff ROW \(number) \(option(for: instance.label)), with the row to compare"
        + " with")
  }

  /// The number of a row, if it is an action.
  func action(_ reference: RowReference) throws(Decision) -> SequenceNumber {
    let number = try number(reference)
    guard number > 0 else {
      throw .fail(Failure("row 0 of \(instance.label) is the initial state, not an action"))
    }
    let row = try row(number)
    guard row.record.kind == .action else {
      throw .fail(
        Failure(
          "row \(number) of \(instance.label) is not an action", meaning: Self.kind(of: row)))
    }
    return number
  }

  func move(to number: SequenceNumber, note: String? = nil) throws(Decision) -> Decision {
    try number > 0
      ? .move(Position(wire: number), content(number), note: note)
      : .move(.initial, nil, note: note)
  }

  /// Steps over rows that are not available. If they were never requested, requests all rows first.
  func beyond(
    _ range: ClosedRange<SequenceNumber>, _ step: NavigationStep
  ) throws(Decision) -> SequenceNumber {
    // A row before the hole may be here without the hole having been requested: an app sends its
    // newest state first.
    guard timeline.lost.contains(range.lowerBound) || isAll else { throw .loadAll }
    if case .row(let number) = step { return number }
    throw .fail(Failure("\(instance.label) no longer has that row", advice: "statesurf watch"))
  }

  private func row(_ number: SequenceNumber) throws(Decision) -> Row {
    if let row = timeline.row(number) { return row }
    let isGone = number > timeline.newestNumber || isComplete || timeline.lost.contains(number)
    throw isGone ? .fail(absent(number)) : .wait
  }

  private func absent(_ number: SequenceNumber) -> Failure {
    if number > timeline.newestNumber {
      let newest = timeline.newestNumber
      return Failure(
        "\(instance.label) has no row \(number)",
        meaning: newest == 0 ? "It has none yet." : "Its rows are 1 to \(newest).",
        advice: newest == 0 ? "statesurf watch" : "tip, which is the newest with a state")
    }
    // The oldest row that arrived may be the newest of all.
    let gone = timeline.lost.runs.first { $0.contains(number) && $0.length > 1 }
    return Failure(
      "row \(number) of \(instance.label) is no longer available",
      meaning: gone.map { "Nor are the others of rows \($0.lowerBound) to \($0.upperBound)." }
        ?? "It keeps only its newest rows.", advice: "tip, or a newer row")
  }

  private static func kind(of row: Row) -> String {
    "It is of kind '\(row.record.kind.text)': \(escaped(row.record.name))"
  }

  /// Why the row has no state here.
  private static func why(_ row: Row) -> String {
    switch row.state {
    case .givenUp:
      "The app did not send its state: for example, it was too busy, nobody watched, or it samples."
    case .unmade:
      "The app sent its state as a change of another, which this viewer does not have."
    case .dropped: "This viewer had no room to keep its state."
    case .unreadable: "This version cannot read the form of its state."
    case .none, .whole: kind(of: row)
    }
  }
}
