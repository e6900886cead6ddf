// Subcommands that put an app into a state in its history.
extension Subcommand {
  static let back = Self(
    "back", in: .surf, "Put the app into the state before the one it is in",
    positionals: [.count.optional], moving: OptionName.moving,
    examples: [
      ("back", "one step, if one instance is live"), ("back 3", "three, or as many as there are"),
      ("back -i 'PrimeTime#123'", "in that instance"),
    ]
  ) { words throws(Failure) in TargetTask.back(try words.steps()) }

  static let forward = Self(
    "forward", in: .surf, "Put the app into the state after the one it is in",
    positionals: [.count.optional], moving: OptionName.moving,
    examples: [
      ("forward", "one step, if one instance is live"),
      ("forward 3", "three, or as many as there are"), ("forward -i cafe", "by the id's digits"),
    ]
  ) { words throws(Failure) in TargetTask.forward(try words.steps()) }

  static let jump = Self(
    "jump", in: .surf, "Put the app into the state of a row", positionals: [.row],
    moving: OptionName.moving,
    examples: [
      ("jump 12", "the state after row 12"), ("jump initial", "the state at its start"),
      ("jump tip", "the newest state again"),
    ]
  ) { words throws(Failure) in TargetTask.jump(try words.row(0)) }

  static let reset = Self(
    "reset", in: .surf, "Put the app into its initial state", moving: OptionName.moving,
    examples: [("reset", "the same as `jump 0`"), ("reset -i Todo", "in that app")], isAlias: true
  ) { _ in TargetTask.reset }
}

extension TargetTask: SessionCommand {
  package func session(on stage: Stage) -> any CommandSession {
    TargetSession(self, stage.common)
  }
}
