import JSONTree

/// The changes that a viewer can make to an app's history, other than a jump to a state
/// (Protocol.md §11.5).
///
/// `Row` identifies an action: by its row on the wire and in typed text, by the panel's number in
/// Redux DevTools, and by its id in the app. Each of these ends translates its own commands to this
/// type.
package indirect enum HistoryCommand<Row: Equatable & Sendable>: Equatable, Sendable {
  /// Run this action through the app's reducer.
  case dispatch(JSON)
  /// Skip an action, or stop skipping it; nil toggles it.
  case toggle(Row, skipped: Bool?)
  /// Move an action before another; nil moves it to the end.
  case move(Row, before: Row?)
  /// Drop the skipped actions.
  case sweep
  /// Let history begin with the current state.
  case commit
  /// Return to the state of the last commit, or else the initial one, and drop all actions.
  case rollback
  /// Return to the app's initial state, and drop all actions.
  case reset
  /// Stop recording, or resume.
  case pause(Bool)
  /// Refuse the app's own actions, or accept them again.
  case lock(Bool)
  /// Replace the history with an imported one.
  case replace(ForeignHistory)
  /// Report what no record contains: the initial state, and the actions offered for dispatch.
  case describe
  /// Give this viewer exclusive control of the app, or end it (Protocol.md §11.9).
  case drive(WheelRequest)

  /// The commands without arguments.
  private static var plain: [HistoryCommand] { [.sweep, .commit, .rollback, .reset, .describe] }

  /// The name on the wire.
  package var word: String {
    switch self {
    case .dispatch: "dispatch"
    case .toggle: "toggle"
    case .move: "reorder"
    case .sweep: "sweep"
    case .commit: "commit"
    case .rollback: "rollback"
    case .reset: "reset"
    case .pause: "pause"
    case .lock: "lock"
    case .replace: "import"
    case .describe: "describe"
    case .drive: "drive"
    }
  }

  /// The same command with its rows translated.
  package func map<Other, Fault: Error>(
    _ name: (Row) throws(Fault) -> Other
  ) throws(Fault) -> HistoryCommand<Other> {
    switch self {
    case .dispatch(let action): return .dispatch(action)
    case .toggle(let row, let skipped): return .toggle(try name(row), skipped: skipped)
    case .move(let row, let before?): return .move(try name(row), before: try name(before))
    case .move(let row, nil): return .move(try name(row), before: nil)
    case .sweep: return .sweep
    case .commit: return .commit
    case .rollback: return .rollback
    case .reset: return .reset
    case .pause(let on): return .pause(on)
    case .lock(let on): return .lock(on)
    case .replace(let history): return .replace(history)
    case .describe: return .describe
    case .drive(let wish): return .drive(wish)
    }
  }

  package var rows: [Row] {
    switch self {
    case .toggle(let row, _), .move(let row, nil): [row]
    case .move(let row, let before?): [row, before]
    default: []
    }
  }

  /// Whether an app must run its recorded actions again to carry it out exactly.
  package var replays: Bool { !rows.isEmpty }
}

/// The title of the row that `.describe` makes. Viewers know the row by it.
package let initialStateTitle = "initial state asked for"

// Text for people.
extension HistoryCommand {
  /// The title of the command's own row.
  package var title: String {
    switch self {
    case .toggle(let row, let skipped):
      "\(skipped.map { $0 ? "skip" : "unskip" } ?? "toggle") row \(row)"
    case .move(let row, let before): "move row \(row) \(before.map { "before \($0)" } ?? "last")"
    case .pause(let on): on ? "recording paused" : "recording resumed"
    case .lock(let on): on ? "locked" : "unlocked"
    case .describe: initialStateTitle
    case .drive(.take): "wheel taken"
    case .drive(.giveBack): "wheel given back"
    case .replace(let history): Self.importTitle(history.stepCount)
    default: word
    }
  }

  package static func importTitle(_ count: Int) -> String {
    count == 1 ? "import of 1 action" : "import of \(count) actions"
  }

  /// Follows the app's new position in a report. The revision record says whether it is exact.
  package var done: String {
    switch self {
    case .dispatch: " (dispatched)"
    case .toggle(let row, true?): ", without row \(row)"
    case .toggle(let row, false?): ", with row \(row) again"
    // Only the revision record says which.
    case .toggle(let row, nil): ", with row \(row) toggled"
    case .move(let row, let before?): ", with row \(row) before row \(before)"
    case .move(let row, nil): ", with row \(row) last"
    case .sweep: " (swept)"
    case .commit: " (committed)"
    case .rollback: " (rolled back)"
    // An app imports all actions of a file, or refuses it.
    case .replace(let history): " (\(history.stepCount) of \(history.stepCount) actions imported)"
    default: " (\(title))"
    }
  }
}

// Protocol.md §11.5.
extension HistoryCommand<UInt64> {
  /// Parses a command. Unknown members are ignored.
  package init(parsing bytes: [UInt8]) throws(ControlError) {
    let members = Members(of: "command", try ControlError.parse(bytes))
    let word = try members.text("command")
    let own = Members(of: word, members.json)
    switch word {
    case "dispatch": self = .dispatch(try own.value("action"))
    case "toggle": self = .toggle(try own.row("row"), skipped: own.flag("skipped"))
    case "reorder": self = .move(try own.row("row"), before: try own.rowIfPresent("before"))
    case "pause": self = .pause(own.flag("on") ?? true)
    case "lock": self = .lock(own.flag("on") ?? true)
    case "drive":
      let isTaken = own.flag("on") ?? true
      self = .drive(isTaken ? .take(over: own.flag("over") ?? false) : .giveBack)
    case "import":
      guard let text = try ImportText(parsing: bytes) else { throw .unknown(word) }
      self = .replace(try ForeignHistory(text))
    default:
      guard let plain = Self.plain.first(where: { $0.word == word }) else { throw .unknown(word) }
      self = plain
    }
  }

  package var bytes: [UInt8] {
    var object = JSONObject([.init(key: "command", value: .string(word))])
    switch self {
    case .dispatch(let action): object["action"] = action
    case .toggle(let row, let skipped):
      object["row"] = .number(row)
      object["skipped"] = skipped.map(JSON.bool)
    case .move(let row, let before):
      object["row"] = .number(row)
      object["before"] = before.map { .number($0) }
    case .pause(let on), .lock(let on): object["on"] = .bool(on)
    case .drive(.take(let over)):
      object["on"] = true
      if over { object["over"] = true }
    case .drive(.giveBack): object["on"] = false
    case .replace(let history): history.write(into: &object)
    default: break
    }
    return JSON.object(object).bytes()
  }
}

/// Whether a viewer takes or gives back exclusive control of an app.
package enum WheelRequest: Equatable, Sendable {
  /// `over`: even if another viewer has it.
  case take(over: Bool)
  case giveBack
}

/// Why bytes are not a valid command or revision.
package enum ControlError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The bytes are not JSON.
  case syntax(JSONError)
  /// A command that this version does not know.
  case unknown(String)
  /// A member that is missing or has the wrong type.
  case member(String, of: String)

  package var description: String {
    switch self {
    case .syntax(let error): "not JSON: \(error)"
    case .unknown(let word): "there is no command '\(word)'"
    case .member(let name, let word): "'\(word)' has no usable \"\(name)\""
    }
  }
}
