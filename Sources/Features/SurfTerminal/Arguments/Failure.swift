import SurfSockets
import TerminalScreen

/// Why a command failed, in three parts for the user.
package struct Failure: Error, Equatable, Sendable {
  package var what: String
  /// What that means; empty if it is obvious.
  package var meaning: String
  /// What to try; empty if nothing helps.
  package var advice: String
  package var exitCode: Int32

  package init(
    _ what: String, meaning: String = "", advice: String = "", exitCode: Int32 = ExitCode.failed
  ) {
    self.what = what
    self.meaning = meaning
    self.advice = advice
    self.exitCode = exitCode
  }

  /// The lines for standard error, with terminal control sequences escaped.
  package var lines: [String] {
    // Only a meaning has line breaks of our own. Text from apps in it is already escaped.
    let meanings = meaning.isEmpty ? [] : "  \(meaning)".split(separator: "\n").map(String.init)
    return (["statesurf: \(what)"] + meanings + (advice.isEmpty ? [] : ["  Try: \(advice)"]))
      .map(escaped)
  }
}

extension Failure {
  /// A live app did not send its rows.
  static func rowsMissing(_ label: String) -> Failure {
    Failure(
      "\(label) did not send the rows in time",
      meaning: "The app is live, but the rows did not arrive.",
      advice: "a longer --timeout, or `statesurf doctor`", exitCode: ExitCode.unanswered)
  }

  static func notOverheard(_ label: String) -> Failure {
    Failure(
      "\(label) sent nothing that tells this",
      meaning: "An observer asks for nothing: it has what it hears, made of states that it heard.",
      advice: "a longer --timeout, or without --observe", exitCode: ExitCode.unanswered)
  }

  package init(_ error: SocketError) {
    switch error {
    case .noSuchInterface(let name, let existing): self = .noInterface(name, existing: existing)
    case .noAddress(let name, let fault):
      self.init(
        "interface '\(name)' has no IPv4 address",
        meaning: fault == .noAddress ? "Apps and viewers speak IPv4." : "That is because \(fault).",
        advice: fault.fix(on: name))
    case .system, .threads:
      self.init("cannot use the network: \(error)", advice: "statesurf doctor")
    }
  }

  /// - Parameter existing: the interfaces with an IPv4 address.
  private static func noInterface(_ name: String, existing: [String]) -> Failure {
    guard let other = existing.first else {
      return Failure(
        "there is no interface '\(name)'",
        meaning: "No interface of this machine has an IPv4 address; the loopback one is down.",
        advice: "ip link set lo up")
    }
    return Failure(
      "there is no interface '\(name)'",
      meaning: "There are: \(existing.joined(separator: ", ")).", advice: "--interface \(other)")
  }
}

/// The exit codes of `statesurf`.
package enum ExitCode {
  package static let done: Int32 = 0
  /// The command could not be carried out, or the app refused it.
  package static let failed: Int32 = 1
  /// No app answered in time. It may or may not have obeyed.
  package static let unanswered: Int32 = 2
  /// The reader of the output has gone: a shell's code for a program that SIGPIPE ended.
  static let readerLeft: Int32 = 128 + 13
  /// EX_USAGE of BSD's sysexits.
  package static let misuse: Int32 = 64
}
