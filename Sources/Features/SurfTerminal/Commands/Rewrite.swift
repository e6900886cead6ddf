import JSONTools
import JSONTree
import SurfControl
import SurfViewer
import SurfWire

// Subcommands that rewrite an app's history.
extension Subcommand {
  /// - Parameter makes: returns the command for the rows that the user named.
  private static func rewriting(
    _ name: String, _ summary: String, positionals: [Positional] = [],
    examples: [(line: String, means: String)], isAlias: Bool = false,
    makes: @escaping @Sendable ([RowReference]) -> HistoryCommand<RowReference>
  ) -> Self {
    Self(
      name, in: .rewrite, summary, positionals: positionals, moving: OptionName.moving,
      examples: examples, isAlias: isAlias
    ) { words throws(Failure) in TargetTask.rewrite(makes(try words.actions())) }
  }

  static let dispatch = Self(
    "dispatch", in: .rewrite, "Run an action in the app, as if it were the app's own",
    positionals: [Positional("action|-", .action)], moving: OptionName.moving,
    examples: [
      ("dispatch increment", "an action without values"),
      ("dispatch add Buy milk -i Todo", "with a value, in that app"),
      ("dispatch move from=1 to=2", "with values that have labels"),
      (#"dispatch '{"add":"Milk"}'"#, "as JSON"), ("dispatch -", "JSON from standard input"),
    ],
    notes: [
      "An action is JSON, a call as a row shows it, or its name and its values as words. A word is",
      "a number, true, false, null or JSON where the action takes that, otherwise a string.",
      "Several words are several values where the action takes those, otherwise one string.",
    ]
  ) { words throws(Failure) in try DispatchOptions(words) }

  static let toggle = rewriting(
    "toggle", "Leave an action out, or take it in again if it is left out", positionals: [.row],
    examples: [
      ("toggle 12", "as if row 12 had not happened"),
      ("toggle 12 -i PrimeTime", "repeated: as if it had happened"),
    ], isAlias: true
  ) { .toggle($0[0], skipped: nil) }

  static let skip = rewriting(
    "skip", "Leave an action out, and run the later ones again", positionals: [.row],
    examples: [
      ("skip 12", "as if row 12 had not happened"), ("skip tip -i PrimeTime", "the newest row"),
    ]
  ) { .toggle($0[0], skipped: true) }

  static let unskip = rewriting(
    "unskip", "Put back an action that was left out", positionals: [.row],
    examples: [("unskip 12", "row 12 happened"), ("unskip 12 -i PrimeTime", "in that app")]
  ) { .toggle($0[0], skipped: false) }

  static let move = rewriting(
    "move", "Put an action before another one, or last, and run all again",
    positionals: [.row, Positional("before-row", .row).optional],
    examples: [("move 12 3", "row 12 before row 3"), ("move 3", "row 3 last")]
  ) { .move($0[0], before: $0.dropFirst().first) }

  /// A command that cannot be undone.
  static func final(
    _ name: String, in group: Group = .rewrite, _ summary: String, positionals: [Positional] = [],
    examples: [(line: String, means: String)],
    makes: @escaping @Sendable (Words) -> FinalCommand
  ) -> Self {
    Self(
      name, in: group, summary, positionals: positionals, options: [.instance, .yes],
      moving: OptionName.moving, examples: examples,
      notes: ["Cannot be undone, so it asks first on a terminal. A script is not asked."]
    ) { words throws(Failure) in FinalOptions(command: makes(words), isSure: words.has(.yes)) }
  }

  static let sweep = final(
    "sweep", "Forget the actions that are left out",
    examples: [
      ("sweep", "`unskip` cannot bring them back"), ("sweep -i Todo --yes", "in that app"),
    ]
  ) { _ in .sweep }

  static let commit = final(
    "commit", "Make history begin with the current state",
    examples: [
      ("commit", "`rollback` returns to this state"), ("commit -i Todo --yes", "in that app"),
    ]
  ) { _ in .commit }

  static let rollback = final(
    "rollback", "Return to the state that history begins with, and forget the rest",
    examples: [("rollback", "to the last commit"), ("rollback -i Todo --yes", "in that app")]
  ) { _ in .rollback }

  static let pause = rewriting(
    "pause", "Stop recording actions until `resume`; the app keeps running",
    examples: [("pause", "viewers never see these actions"), ("pause -i Todo", "in that app")]
  ) { _ in .pause(true) }

  static let resume = rewriting(
    "resume", "Record actions again after `pause`",
    examples: [("resume", "from now on"), ("resume -i Todo", "in that app")]
  ) { _ in .pause(false) }

  static let lock = rewriting(
    "lock", "Make the app refuse its own actions until `unlock`",
    examples: [("lock", "the state stays as it is"), ("lock -i Todo", "in that app")]
  ) { _ in .lock(true) }

  static let unlock = rewriting(
    "unlock", "Make the app take its own actions again after `lock`",
    examples: [("unlock", "from now on"), ("unlock -i Todo", "in that app")]
  ) { _ in .lock(false) }
}

/// A command that cannot be undone.
package enum FinalCommand: Equatable, Sendable {
  case commit, rollback, sweep
  /// From the file at a path, or from standard input for nil.
  case `import`(String?)

  fileprivate func command() throws(Failure) -> HistoryCommand<RowReference> {
    switch self {
    case .commit: .commit
    case .rollback: .rollback
    case .sweep: .sweep
    case .import(let path): .replace(try LiftedStateFile.read(path))
    }
  }

  package var question: TargetSession.Question {
    switch self {
    case .commit: .init(verb: "commit", loss: "It forgets the rows up to here, for all viewers.")
    case .rollback:
      .init(
        verb: "rollback", loss: "It forgets all rows since the last commit, for all viewers.")
    case .sweep:
      .init(verb: "sweep", loss: "It forgets the actions that are left out, for all viewers.")
    case .import(let path):
      .init(
        verb: "import \(path.map { "'\($0)'" } ?? "standard input") into",
        loss: "It forgets the app's own history, for all viewers.")
    }
  }
}

package struct FinalOptions: SessionCommand {
  let command: FinalCommand
  let isSure: Bool

  package init(command: FinalCommand, isSure: Bool) {
    (self.command, self.isSure) = (command, isSure)
  }

  package func session(on stage: Stage) throws(Failure) -> any CommandSession {
    // A script needs no question: its own words say so.
    let asks = !isSure && stage.output.terminal.hasKeys
    return TargetSession(
      .rewrite(try command.command()), stage.common, question: asks ? command.question : nil)
  }
}

package struct DispatchOptions: SessionCommand {
  /// The words of the action; empty for standard input.
  private let words: [String]

  package init(_ words: [String]) { self.words = words }

  init(_ words: Words) throws(Failure) {
    let texts = words.positionals
    guard texts.contains("-") else {
      self.words = texts
      // Reports bad words before it looks for an app.
      _ = try actions()
      return
    }
    guard texts.count == 1 else {
      throw words.misuse("'-' is standard input, and stands alone")
    }
    self.words = []
  }

  package func session(on stage: Stage) throws(Failure) -> any CommandSession {
    TargetSession(.dispatch(try actions()), stage.common)
  }

  private func actions() throws(Failure) -> [JSON] {
    if words.isEmpty { return [try Self.action(in: try StateFile.bytes(of: nil))] }
    do throws(ActionTextError) { return try ActionText.actions(words) } catch {
      throw Failure(
        error.what, meaning: error.meaning, advice: error.advice, exitCode: ExitCode.misuse)
    }
  }

  private static func action(in bytes: [UInt8]) throws(Failure) -> JSON {
    do throws(JavaScriptLiteralError) {
      return try JavaScriptLiteral.parse(String(decoding: bytes, as: UTF8.self))
    } catch {
      throw Failure(
        "cannot read the action: \(error)", advice: #"echo '{"add":"Milk"}' | statesurf dispatch -"#
      )
    }
  }
}
