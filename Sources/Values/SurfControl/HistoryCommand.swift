import JSONTree

/// The changes that a history can undergo, besides being in a state of it (Protocol.md §11.5).
///
/// `Row` is how a command names an action: by its row on the wire or in a person's text, by the
/// number that a panel has for it, or by its id where the command is carried out. Each edge has one
/// table from its own words to this.
package enum HistoryCommand<Row: Equatable & Sendable>: Equatable, Sendable {
  /// Run this action through the app's own reducer.
  case dispatch(JSON)
  /// Leave an action out, or take it in again; nil toggles it.
  case toggle(Row, skipped: Bool?)
  /// Put an action before another; nil puts it last.
  case move(Row, before: Row?)
  /// Forget the actions that are left out.
  case sweep
  /// Let history begin with the present state.
  case commit
  /// Return to the state that history begins with, and forget what came after.
  case rollback
  /// Return to the state at the start, and forget what came after.
  case reset
  /// Record nothing, or record again.
  case pause(Bool)
  /// Refuse the app's own actions, or take them again.
  case lock(Bool)
  /// Replace the history by one that was recorded elsewhere.
  case replace(ForeignHistory)
  /// Tell the facts that are in no action: the initial state.
  case describe
  /// Let this viewer alone move the app, or no longer (Protocol.md §11.9).
  case drive(WheelRequest)

  /// The commands that consist of their word alone.
  private static var plain: [HistoryCommand] { [.sweep, .commit, .rollback, .reset, .describe] }

  /// The word on the wire.
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

  /// The same command, with its rows named otherwise.
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

  /// The rows that it names.
  package var rows: [Row] {
    switch self {
    case .toggle(let row, _), .move(let row, nil): [row]
    case .move(let row, let before?): [row, before]
    default: []
    }
  }

  /// Whether only an app that runs its recorded actions again can do it.
  package var replays: Bool { !rows.isEmpty }
}

// In words.
extension HistoryCommand {
  /// The request, for the list of rows.
  package var title: String {
    switch self {
    case .toggle(let row, let skipped):
      "\(skipped.map { $0 ? "skip" : "unskip" } ?? "toggle") row \(row)"
    case .move(let row, let before): "move row \(row) \(before.map { "before \($0)" } ?? "last")"
    case .pause(let on): on ? "recording paused" : "recording resumed"
    case .lock(let on): on ? "locked" : "unlocked"
    case .describe: "description asked for"
    case .drive(.take): "wheel taken"
    case .drive(.giveBack): "wheel given back"
    case .replace(let history): Self.importTitle(history.stepCount)
    default: word
    }
  }

  /// The request for an import of so many steps.
  package static func importTitle(_ count: Int) -> String { "import of \(count) actions" }

  /// The deed, to append to the app's new position. The record of a rewrite says whether it is
  /// exact.
  package var done: String {
    switch self {
    case .dispatch: " (dispatched)"
    case .toggle(let row, true?): ", without row \(row)"
    case .toggle(let row, false?): ", with row \(row) again"
    // The revision record has not come yet.
    case .toggle(let row, nil): ", with row \(row) toggled"
    case .move(let row, let before?): ", with row \(row) before row \(before)"
    case .move(let row, nil): ", with row \(row) last"
    case .sweep: " (swept)"
    case .commit: " (committed)"
    case .rollback: " (rolled back)"
    case .replace(let history): " (\(history.steps.count) actions imported)"
    default: " (\(title))"
    }
  }
}

// Protocol.md §11.5.
extension HistoryCommand<UInt64> {
  /// Reads the bytes of a command; members that it does not know are ignored.
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

  /// The bytes of the command.
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

/// What a viewer wants of an app's wheel.
package enum WheelRequest: Equatable, Sendable {
  /// `over`: also if another viewer has it.
  case take(over: Bool)
  case giveBack
}

/// Why bytes are not a command, or not a revision.
package enum ControlError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Not JSON at all.
  case syntax(JSONError)
  /// A word that this version does not know.
  case unknown(String)
  /// A member that is missing, or not of its type.
  case member(String, of: String)

  /// For people: what is wrong, and where.
  package var description: String {
    switch self {
    case .syntax(let error): "not JSON: \(error)"
    case .unknown(let word): "there is no command '\(word)'"
    case .member(let name, let word): "'\(word)' has no usable \"\(name)\""
    }
  }
}
