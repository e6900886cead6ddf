import SurfControl

/// What `statesurf` can do: a table that the parser, the help and the tests read.
package enum Subcommand: String, CaseIterable, Sendable {
  case list, surf, watch, logs, values, show, diff
  case find, trace, wait, report
  case back, forward, jump, reset
  case dispatch, toggle, skip, unskip, move, sweep, commit, rollback, pause, resume, lock, unlock
  case save, load, export
  case replace = "import"
  case gateway, doctor
  case key, settings, completions, manual

  package struct Spec: Sendable {
    package let group: String
    package let summary: String
    /// As they stand in the usage line; in brackets if they may be left out.
    package var positionals: [String] = []
    package var options: [OptionName] = [.instance]
    package let examples: [(line: String, means: String)]
    /// What else a person should know, in lines of the page.
    package var notes: [String] = []
    /// Whether it needs neither apps nor a network.
    var isLocal = false
    /// What it does to a history, given the rows that were named; nil for what does something else.
    var rewrites: (@Sendable ([RowReference]) -> HistoryCommand<RowReference>)?
  }

  /// Every option that it takes.
  package var options: [OptionName] {
    spec.options + moving + (spec.isLocal ? [.help] : OptionName.network)
  }

  /// Those by which it moves an app.
  private var moving: [OptionName] {
    switch self {
    case .back, .forward, .jump, .reset, .load, .replace, .wait, .dispatch, .toggle, .skip, .unskip,
      .move, .sweep, .commit, .rollback, .pause, .resume, .lock, .unlock:
      [.drive, .open]
    case .surf, .gateway: [.open]
    case .list, .watch, .logs, .values, .show, .diff, .find, .trace, .report, .save, .export,
      .doctor, .key, .settings, .completions, .manual:
      []
    }
  }

  /// Whether its first word names an instance, as `-i` does.
  var namesInstance: Bool { spec.positionals.first == "[instance]" }

  /// Whether its words are a query, which has as many as it likes.
  var takesQuery: Bool { spec.positionals.last == "query" }

  package var spec: Spec {
    switch self {
    case .list: .list
    case .surf: .surf
    case .watch: .watch
    case .logs: .logs
    case .values: .values
    case .show: .show
    case .diff: .diff
    case .find: .find
    case .trace: .trace
    case .wait: .wait
    case .report: .report
    case .back: .back
    case .forward: .forward
    case .jump: .jump
    case .reset: .reset
    case .dispatch: .dispatch
    case .toggle: .toggle
    case .skip: .skip
    case .unskip: .unskip
    case .move: .move
    case .sweep: .sweep
    case .commit: .commit
    case .rollback: .rollback
    case .pause: .pause
    case .resume: .resume
    case .lock: .lock
    case .unlock: .unlock
    case .save: .save
    case .load: .load
    case .export: .export
    case .replace: .replace
    case .gateway: .gateway
    case .doctor: .doctor
    case .key: .key
    case .settings: .settings
    case .completions: .completions
    case .manual: .manual
    }
  }
}

// What rewrites an app's history, rather than visit it: with the table from the words of a terminal
// to commands.
extension Subcommand.Spec {
  private static let rewrite = "Rewrite"

  static let dispatch = Self(
    group: rewrite, summary: "Run an action in the app, as if it were the app's own",
    positionals: ["action|-"],
    examples: [
      (#"dispatch '"increment"'"#, "an action without values"),
      (#"dispatch '{"add":"Milk"}' -i Todo"#, "with a value, in that app"),
      ("dispatch -", "JSON from standard input"),
    ])
  static let toggle = Self(
    group: rewrite, summary: "Leave an action out, or take it in again if it is left out",
    positionals: ["row"],
    examples: [
      ("toggle 12", "as if row 12 had not happened"),
      ("toggle 12 -i PrimeTime", "repeated: as if it had happened"),
    ],
    rewrites: { .toggle($0[0], skipped: nil) })
  static let skip = Self(
    group: rewrite, summary: "Leave an action out, and run the later ones again",
    positionals: ["row"],
    examples: [
      ("skip 12", "as if row 12 had not happened"), ("skip tip -i PrimeTime", "the newest row"),
    ],
    rewrites: { .toggle($0[0], skipped: true) })
  static let unskip = Self(
    group: rewrite, summary: "Take in again an action that was left out", positionals: ["row"],
    examples: [("unskip 12", "row 12 happened"), ("unskip 12 -i PrimeTime", "in that app")],
    rewrites: { .toggle($0[0], skipped: false) })
  static let move = Self(
    group: rewrite, summary: "Put an action before another one, or last, and run all again",
    positionals: ["row", "[before-row]"],
    examples: [("move 12 3", "row 12 before row 3"), ("move 3", "row 3 last")],
    rewrites: { .move($0[0], before: $0.dropFirst().first) })
  static let sweep = Self(
    group: rewrite, summary: "Forget the actions that are left out",
    examples: [("sweep", "`unskip` cannot bring them back"), ("sweep -i Todo", "in that app")],
    rewrites: { _ in .sweep })
  static let commit = Self(
    group: rewrite, summary: "Make history begin with the current state",
    examples: [("commit", "`rollback` returns to this state"), ("commit -i Todo", "in that app")],
    rewrites: { _ in .commit })
  static let rollback = Self(
    group: rewrite, summary: "Return to the state that history begins with, and forget the rest",
    examples: [("rollback", "to the last commit"), ("rollback -i Todo", "in that app")],
    rewrites: { _ in .rollback })
  static let pause = Self(
    group: rewrite, summary: "Stop recording actions until `resume`; the app keeps running",
    examples: [("pause", "viewers never see these actions"), ("pause -i Todo", "in that app")],
    rewrites: { _ in .pause(true) })
  static let resume = Self(
    group: rewrite, summary: "Record actions again after `pause`",
    examples: [("resume", "from now on"), ("resume -i Todo", "in that app")],
    rewrites: { _ in .pause(false) })
  static let lock = Self(
    group: rewrite, summary: "Make the app refuse its own actions until `unlock`",
    examples: [("lock", "the state stays as it is"), ("lock -i Todo", "in that app")],
    rewrites: { _ in .lock(true) })
  static let unlock = Self(
    group: rewrite, summary: "Make the app take its own actions again after `lock`",
    examples: [("unlock", "from now on"), ("unlock -i Todo", "in that app")],
    rewrites: { _ in .lock(false) })
}
