// What rewrites an app's history, rather than visit it.
extension Subcommand.Spec {
  private static let rewrite = "Rewrite"

  static let dispatch = Self(
    group: rewrite, summary: "Run an action in the app, as if it were its own",
    positionals: ["action|-"],
    examples: [
      (#"dispatch '"increment"'"#, "an action without values"),
      (#"dispatch '{"add":"Milk"}' -i Todo"#, "with one, in a certain app"),
      ("dispatch -", "JSON from standard input"),
    ])
  static let toggle = Self(
    group: rewrite, summary: "Leave an action out, or take it in again: the other of the two",
    positionals: ["row"],
    examples: [
      ("toggle 12", "as if row 12 had not happened"),
      ("toggle 12 -i PrimeTime", "and it has again"),
    ])
  static let skip = Self(
    group: rewrite, summary: "Leave an action out; those after it are run again",
    positionals: ["row"],
    examples: [
      ("skip 12", "as if row 12 had not happened"), ("skip tip -i PrimeTime", "the newest"),
    ])
  static let unskip = Self(
    group: rewrite, summary: "Take an action in again that was left out", positionals: ["row"],
    examples: [("unskip 12", "row 12 happened"), ("unskip 12 -i PrimeTime", "in a certain app")])
  static let move = Self(
    group: rewrite, summary: "Put an action before another one, or last; all are run again",
    positionals: ["row", "[before-row]"],
    examples: [("move 12 3", "row 12 before row 3"), ("move 3", "row 3 last")])
  static let sweep = Self(
    group: rewrite, summary: "Forget the actions that are left out",
    examples: [("sweep", "they cannot be taken in again"), ("sweep -i Todo", "in a certain app")])
  static let commit = Self(
    group: rewrite, summary: "Let history begin with the state of now",
    examples: [("commit", "what rollback returns to"), ("commit -i Todo", "in a certain app")])
  static let rollback = Self(
    group: rewrite, summary: "Return to the state that history begins with, and forget the rest",
    examples: [("rollback", "to the last commit"), ("rollback -i Todo", "in a certain app")])
  static let pause = Self(
    group: rewrite, summary: "Record no actions until `resume`; the app goes on",
    examples: [("pause", "they are gone for viewers"), ("pause -i Todo", "in a certain app")])
  static let resume = Self(
    group: rewrite, summary: "Record actions again after `pause`",
    examples: [("resume", "from now on"), ("resume -i Todo", "in a certain app")])
  static let lock = Self(
    group: rewrite, summary: "Let the app refuse its own actions until `unlock`",
    examples: [("lock", "its state stays as it is"), ("lock -i Todo", "in a certain app")])
  static let unlock = Self(
    group: rewrite, summary: "Let the app take its own actions again after `lock`",
    examples: [("unlock", "from now on"), ("unlock -i Todo", "in a certain app")])
}
