import SurfTimeline
import SurfWire

extension TargetTask {
  /// What must be loaded before a command can be said in numbers, or done without the app.
  static func wish(
    _ command: HistoryCommand<RowReference>, _ heartbeat: Heartbeat
  ) -> Wish {
    switch command {
    case .toggle(let row, let skipped) where !heartbeat.takes(command):
      switch (row, skipped) {
      case (_, nil): .nothing
      case (_, false?): wish(row)
      case (.number(let number), true?): wishBefore(number)
      case (.tip(let before), true?): .rows(.last(WireCount(before + 1 + window)))
      }
    case .toggle(let row, _), .move(let row, nil): wish(numbering: [row])
    case .move(let row, let before?): wish(numbering: [row, before])
    case .dispatch, .sweep, .commit, .rollback, .pause, .lock, .replace: .nothing
    }
  }

  /// Only a row counted from the tip has a number that must be found out.
  private static func wish(numbering rows: [RowReference]) -> Wish {
    let counts = rows.compactMap { if case .tip(let before) = $0 { before } else { nil } }
    return counts.max().map { wish(.tip(before: $0)) } ?? .nothing
  }

  static func decide(
    _ command: HistoryCommand<RowReference>, _ search: RowSearch
  ) -> Decision {
    guard search.instance.heartbeat.takes(command) else { return approximate(command, search) }
    switch command {
    case .toggle(let row, let skipped):
      return search.existing(row) { .command(.toggle($0, skipped: skipped)) }
    case .move(let row, nil): return search.existing(row) { .command(.move($0, before: nil)) }
    case .move(let row, let other?):
      return search.existing(row) { row in
        search.existing(other) { .command(.move(row, before: $0)) }
      }
    case .dispatch(let action): return .command(.dispatch(action))
    case .sweep: return .command(.sweep)
    case .commit: return .command(.commit)
    case .rollback: return .command(.rollback)
    case .pause(let on): return .command(.pause(on))
    case .lock(let on): return .command(.lock(on))
    case .replace(let history): return .command(.replace(history))
    }
  }

  /// The nearest that a reset comes to it, if any does (Protocol.md §11.5).
  private static func approximate(
    _ command: HistoryCommand<RowReference>, _ search: RowSearch
  ) -> Decision {
    let label = search.instance.label
    guard case .toggle(let row, let skipped) = command else {
      let takesCommands = search.instance.heartbeat.control.contains(.takesCommands)
      return .fail(
        takesCommands ? AnswerReport.runsNothingAgain(label) : AnswerReport.takesNoCommands(label))
    }
    switch skipped {
    case nil: return .fail(AnswerReport.cannotToggle(label))
    case false?: return search.action(row) { search.move(to: $0) }
    case true?:
      return search.action(row) { number in
        step(
          search, { search.instance.timeline.target(before: number, skipsHoles: $0) },
          "has nothing before that row")
      }
    }
  }
}

extension Heartbeat {
  /// Whether the app said that it can do this.
  func takes<Row>(_ command: HistoryCommand<Row>) -> Bool {
    control.contains(command.replays ? [.takesCommands, .replays] : .takesCommands)
  }
}
