import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

/// Looks for the rows that the user named in an instance's timeline, for `TargetTask.decide`. Rows
/// may still be arriving.
struct RowLookup {
  let instance: Instance
  /// Whether everything that was requested has arrived, as far as it ever will.
  let isComplete: Bool
  /// Whether all rows were requested, so that another request is useless.
  let isAll: Bool
  /// Whether to ask the app for the state of row 0, which adds a row to its history.
  var mayAsk = false

  private var timeline: Timeline { instance.timeline }

  func number(
    _ reference: RowReference, then next: (SequenceNumber) -> TargetTask.Decision
  ) -> TargetTask.Decision {
    switch reference {
    case .number(let number): next(number)
    case .tip(let before): tip(before, from: timeline.newestNumber.next, then: next)
    case .app: app(then: next)
    }
  }

  private func app(then next: (SequenceNumber) -> TargetTask.Decision) -> TargetTask.Decision {
    if let number = timeline.position.row {
      // A late viewer learns where the app is before it has the state of that row.
      let isHere = number == 0 || timeline.row(number)?.holdsState == true
      return isHere || isComplete ? next(number) : .wait
    }
    return .fail(
      Failure(
        "\(instance.label) is in a state that is in no row",
        meaning: "It acts while its recording is paused, or its state could not be recorded.",
        advice: "tip, which is the newest row with a state"))
  }

  /// The number of an existing row, whatever its kind.
  func existing(
    _ reference: RowReference, then next: (SequenceNumber) -> TargetTask.Decision
  ) -> TargetTask.Decision {
    number(reference) { number in
      number > timeline.newestNumber ? .fail(absent(number)) : next(number)
    }
  }

  /// The state of a row, or its payload; nil for the initial state.
  func content(
    _ reference: RowReference, payload: Bool = false,
    then next: (Content?) -> TargetTask.Decision
  ) -> TargetTask.Decision {
    number(reference) { number in
      guard number > 0 else { return payload ? next(nil) : initial(then: next) }
      return row(number) { row in
        if payload {
          guard let content = row.record.payload else {
            return .fail(lacking("payload", row, Self.kind(of: row)))
          }
          return next(content)
        }
        guard let content = timeline.state(of: number) else {
          return .fail(lacking("state", row, Self.why(row)))
        }
        return next(content)
      }
    }
  }

  /// The state of row 0 if the app sent it recently; otherwise asks the app for it.
  private func initial(then next: (Content?) -> TargetTask.Decision) -> TargetTask.Decision {
    if let state = timeline.initialState { return next(state) }
    guard mayAsk else { return next(nil) }
    return isComplete ? .ask : .wait
  }

  /// The row, and the row that it grew from.
  func parent(
    of reference: RowReference,
    then next: (_ parent: SequenceNumber, _ row: SequenceNumber) -> TargetTask.Decision
  ) -> TargetTask.Decision {
    number(reference) { number in
      guard number > 0 else { return .fail(orphan(0, "It is the initial state.")) }
      return row(number) { row in
        guard let parent = timeline.parent(of: row) else {
          return isComplete && isAll
            ? .fail(orphan(number, "Rows before it are missing.")) : further
        }
        guard let origin = parent.row else {
          return .fail(orphan(number, "It grew from a state that is in no row."))
        }
        if let row = timeline.row(origin), !row.holdsState {
          return .fail(orphan(number, "It grew from row \(origin). \(Self.why(row))"))
        }
        let isAbsent = origin > 0 && timeline.row(origin) == nil && !timeline.lost.contains(origin)
        return isAbsent && !(isComplete && isAll) ? further : next(origin, number)
      }
    }
  }

  /// Waits for more rows, or requests all of them.
  private var further: TargetTask.Decision { isComplete ? .loadAll : .wait }

  private func orphan(_ number: SequenceNumber, _ meaning: String) -> Failure {
    Failure(
      "row \(number) of \(instance.label) has no state before it to compare with",
      meaning: meaning, advice: "statesurf diff ROW \(number), with the row to compare with")
  }

  /// The number of a row, if it is an action.
  func action(
    _ reference: RowReference, then next: (SequenceNumber) -> TargetTask.Decision
  ) -> TargetTask.Decision {
    number(reference) { number in
      guard number > 0 else {
        return .fail(Failure("row 0 of \(instance.label) is the initial state, and no action"))
      }
      return row(number) { row in
        guard row.record.kind == .action else { return .fail(noAction(row)) }
        return next(number)
      }
    }
  }

  func move(to number: SequenceNumber) -> TargetTask.Decision {
    guard number > 0 else { return .move(.initial, nil) }
    return content(.number(number)) { .move(Position(wire: number), $0) }
  }

  /// Steps over rows that are not available. If they were never requested, requests all rows first.
  func beyond(
    _ range: ClosedRange<SequenceNumber>, _ step: NavigationStep,
    then next: (SequenceNumber) -> TargetTask.Decision
  ) -> TargetTask.Decision {
    // If a row before the hole is loaded, the hole was requested too, and is empty.
    let wasAskedFor = timeline.rows.first.map { $0.number < range.lowerBound } ?? false
    guard wasAskedFor || timeline.lost.contains(range.lowerBound) || isAll else {
      return .loadAll
    }
    if case .row(let number) = step { return next(number) }
    return .fail(Failure("\(instance.label) no longer has that row", advice: "statesurf watch"))
  }

  private func tip(
    _ before: Int, from bound: SequenceNumber, then next: (SequenceNumber) -> TargetTask.Decision
  ) -> TargetTask.Decision {
    var bound = bound
    var left = before
    while true {
      switch timeline.target(before: bound, skipsHoles: isComplete) {
      case .row(let number) where left == 0 || number == 0: return next(number)
      case .row(let number): (bound, left) = (number, left - 1)
      case .notLoaded: return .wait
      case .end: return next(0)
      }
    }
  }

  private func row(
    _ number: SequenceNumber, then next: (Row) -> TargetTask.Decision
  ) -> TargetTask.Decision {
    if let row = timeline.row(number) { return next(row) }
    if number > timeline.newestNumber { return .fail(absent(number)) }
    return isComplete || timeline.lost.contains(number) ? .fail(absent(number)) : .wait
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

  private func noAction(_ row: Row) -> Failure {
    Failure("row \(row.number) of \(instance.label) is not an action", meaning: Self.kind(of: row))
  }

  private static func kind(of row: Row) -> String {
    "It is of kind '\(row.record.kind.text)': \(escaped(row.record.name))"
  }

  private func lacking(_ what: String, _ row: Row, _ meaning: String) -> Failure {
    Failure("row \(row.number) of \(instance.label) carries no \(what)", meaning: meaning)
  }

  /// Why the row has no state here.
  private static func why(_ row: Row) -> String {
    switch row.state {
    case .givenUp:
      "The app did not send its state: it was too busy, nobody watched, or it samples its states."
    case .dropped: "This viewer had no room to keep its state."
    case .unreadable: "This version cannot read the form of its state."
    case .none, .whole: kind(of: row)
    }
  }
}
