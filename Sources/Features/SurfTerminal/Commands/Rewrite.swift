import JSONTools
import JSONTree
import SurfControl
import SurfWire

// Subcommands that rewrite an app's history.
extension Subcommand {
  /// - Parameter makes: returns the command for the rows that the user named.
  private static func rewriting(
    _ name: String, _ summary: String, positionals: [Positional] = [],
    examples: [(line: String, means: String)],
    makes: @escaping @Sendable ([RowReference]) -> HistoryCommand<RowReference>
  ) -> Self {
    Self(
      name, in: .rewrite, summary, positionals: positionals, moving: OptionName.moving,
      examples: examples
    ) { words throws(Failure) in TargetTask.rewrite(makes(try words.actions())) }
  }

  static let dispatch = Self(
    "dispatch", in: .rewrite, "Run an action in the app, as if it were the app's own",
    positionals: [Positional("action|-", .text)], moving: OptionName.moving,
    examples: [
      (#"dispatch '"increment"'"#, "an action without values"),
      (#"dispatch '{"add":"Milk"}' -i Todo"#, "with a value, in that app"),
      ("dispatch -", "JSON from standard input"),
    ]
  ) { DispatchOptions($0.file(0)) }

  static let toggle = rewriting(
    "toggle", "Leave an action out, or take it in again if it is left out", positionals: [.row],
    examples: [
      ("toggle 12", "as if row 12 had not happened"),
      ("toggle 12 -i PrimeTime", "repeated: as if it had happened"),
    ]
  ) { .toggle($0[0], skipped: nil) }

  static let skip = rewriting(
    "skip", "Leave an action out, and run the later ones again", positionals: [.row],
    examples: [
      ("skip 12", "as if row 12 had not happened"), ("skip tip -i PrimeTime", "the newest row"),
    ]
  ) { .toggle($0[0], skipped: true) }

  static let unskip = rewriting(
    "unskip", "Take in again an action that was left out", positionals: [.row],
    examples: [("unskip 12", "row 12 happened"), ("unskip 12 -i PrimeTime", "in that app")]
  ) { .toggle($0[0], skipped: false) }

  static let move = rewriting(
    "move", "Put an action before another one, or last, and run all again",
    positionals: [.row, Positional("before-row", .row).optional],
    examples: [("move 12 3", "row 12 before row 3"), ("move 3", "row 3 last")]
  ) { .move($0[0], before: $0.dropFirst().first) }

  static let sweep = rewriting(
    "sweep", "Forget the actions that are left out",
    examples: [("sweep", "`unskip` cannot bring them back"), ("sweep -i Todo", "in that app")]
  ) { _ in .sweep }

  static let commit = rewriting(
    "commit", "Make history begin with the current state",
    examples: [("commit", "`rollback` returns to this state"), ("commit -i Todo", "in that app")]
  ) { _ in .commit }

  static let rollback = rewriting(
    "rollback", "Return to the state that history begins with, and forget the rest",
    examples: [("rollback", "to the last commit"), ("rollback -i Todo", "in that app")]
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

package struct DispatchOptions: SessionCommand {
  /// The action's text; nil for standard input.
  private let text: String?

  package init(_ text: String?) { self.text = text }

  package func session(on stage: Stage) throws(Failure) -> any CommandSession {
    TargetTask.rewrite(.dispatch(try ActionText.action(text))).session(on: stage)
  }
}

/// Parses an action that the user wrote: JSON, or a JavaScript object as in a Redux DevTools panel.
package enum ActionText {
  /// Parses an argument, or standard input for nil.
  ///
  /// - Throws: the line and column of the error, with exit code 64 for an argument.
  package static func action(_ argument: String?) throws(Failure) -> JSON {
    let text =
      if let argument { Array(argument.utf8) } else { try StateFile.bytes(of: nil) }
    do throws(JavaScriptLiteralError) {
      return try JavaScriptLiteral.parse(String(decoding: text, as: UTF8.self))
    } catch {
      throw Failure(
        "cannot read the action: \(error)",
        meaning: "The quotes are part of the action, and the shell needs quotes around them.",
        advice: #"statesurf dispatch '"increment"', or statesurf dispatch '{"add":"Buy milk"}'"#,
        exitCode: argument == nil ? ExitCode.failed : ExitCode.misuse)
    }
  }
}
