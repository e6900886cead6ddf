/// What a command line asks for, understood. Each subcommand makes one of its own, and it alone
/// says what is done: nothing else has to know which subcommands there are.
package protocol Command: Equatable, Sendable {
  /// Does it on the caller's thread, and returns the exit code.
  func run(on stage: Stage) throws(Failure) -> Int32
}

/// One that is a machine over the network.
package protocol SessionCommand: Command {
  func session(on stage: Stage) throws(Failure) -> any CommandSession
}

extension SessionCommand {
  package func run(on stage: Stage) throws(Failure) -> Int32 {
    try stage.run(try session(on: stage))
  }
}

/// Lines of our own, such as a page of help.
package struct Page: Command {
  private let lines: [String]
  /// Whether another program reads it: as it is, without colours or escapes.
  private let isForProgram: Bool

  package init(_ lines: [String], isForProgram: Bool = false) {
    (self.lines, self.isForProgram) = (lines, isForProgram)
  }

  package func run(on stage: Stage) -> Int32 {
    if isForProgram {
      stage.output.print(bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
    } else {
      for line in lines { stage.output.print(Line(line)) }
    }
    return ExitCode.done
  }
}
