import SurfControl
import SurfObserver
import SurfTimeline
import SurfWire

extension TargetTask {
  /// What to load before `decide` can find the numbers of the command's rows, or approximate the
  /// command by a reset.
  static func wish(
    _ command: HistoryCommand<RowReference>, _ heartbeat: Heartbeat
  ) -> HistoryRequest? {
    guard case .toggle(let row, let skipped) = command, !heartbeat.takes(command) else {
      return wish(numbering: command.rows)
    }
    return switch (row, skipped) {
    case (_, nil): nil
    case (_, false?): wish(row)
    case (.number(let number), true?): wishBefore(number)
    case (.tip(let before), true?): .last(WireCount(before + 1 + window))
    case (.app, true?): .all
    }
  }

  /// Only a row counted from the tip needs its number looked up.
  private static func wish(numbering rows: [RowReference]) -> HistoryRequest? {
    let counts = rows.compactMap { if case .tip(let before) = $0 { before } else { nil } }
    return counts.max().flatMap { wish(.tip(before: $0)) }
  }

  static func decide(
    _ command: HistoryCommand<RowReference>, _ lookup: RowLookup
  ) throws(Decision) -> Decision {
    guard lookup.instance.heartbeat.takes(command) else { return try approximate(command, lookup) }
    return .command(try command.map { row throws(Decision) in try lookup.existing(row) })
  }

  /// The reset nearest to the command, if there is one (Protocol.md §11.5).
  private static func approximate(
    _ command: HistoryCommand<RowReference>, _ lookup: RowLookup
  ) throws(Decision) -> Decision {
    let label = lookup.instance.label
    guard case .toggle(let row, let skipped) = command else {
      guard lookup.instance.heartbeat.control.contains(.takesCommands) else {
        return .fail(AnswerReport.takesNoCommands(label))
      }
      if case .dispatch = command { return .fail(AnswerReport.takesNoActions(label)) }
      return .fail(AnswerReport.runsNothingAgain(label))
    }
    switch skipped {
    case nil: return .fail(AnswerReport.cannotToggle(label))
    case false?: return try lookup.move(to: lookup.action(row))
    case true?:
      let number = try lookup.action(row)
      return try step(
        lookup, { lookup.instance.timeline.target(above: number, skipsHoles: $0) },
        "\(label) has nothing before that row")
    }
  }
}

extension Heartbeat {
  /// Whether the app says that it can carry out the command.
  func takes<Row>(_ command: HistoryCommand<Row>) -> Bool {
    if case .dispatch = command { return takesActions }
    return control.contains(command.replays ? [.takesCommands, .replays] : .takesCommands)
  }
}
