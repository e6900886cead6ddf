import SurfControl
import SurfObserver
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

/// Turns an app's answer to a request into what the command prints, and its exit code.
enum AnswerReport {
  enum Question: Equatable {
    /// To go to a state.
    case state
    /// The same, by fewer steps than were asked for.
    case steps(Int)
    /// To go to the state nearest to a history without an action, or with one.
    case approximate
    case command(HistoryCommand<SequenceNumber>)

    fileprivate var noun: String {
      switch self {
      case .state, .steps, .approximate: "state"
      case .command: "command"
      }
    }

    fileprivate var done: String {
      switch self {
      case .state: " (applied)"
      case .steps(let count): " (applied: \(countText(count, "step")); there are no more)"
      case .approximate:
        " (\(Revision.Replay.approximate.doubt ?? ""), and went to the nearest state)"
      case .command(let command): command.done
      }
    }
  }

  /// - Parameters:
  ///   - isDriven: whether another viewer has the wheel.
  ///   - note: appended to the report of success.
  static func actions(
    _ answer: ResetAnswer, to question: Question, label: String, isDriven: Bool = false,
    note: String = ""
  ) -> [CommandAction] {
    do throws(Failure) {
      let position = try Self.position(after: answer, to: question, label, isDriven: isDriven)
      let line = Line("\(label) is at \(positionText(position))\(question.done)\(note)")
      return [.print(line), .exit(ExitCode.done)]
    } catch {
      return [.fail(error)]
    }
  }

  /// For an app that viewers may only watch.
  static func forbidden(_ label: String, _ question: Question = .state) -> Failure {
    if case .command = question { return takesNoCommands(label) }
    return Failure(
      "\(label) takes no states from outside",
      meaning: "It has no handler for them, or its settings forbid them.",
      advice: "statesurf watch, or call onReset before resume() in the program")
  }

  /// For an app that accepts resets but no commands.
  static func takesNoCommands(_ label: String) -> Failure {
    Failure(
      "\(label) takes no commands", meaning: "You can visit its history, but not rewrite it.",
      advice: "statesurf back or jump")
  }

  /// For an app that takes other commands, but no actions.
  static func takesNoActions(_ label: String) -> Failure {
    Failure(
      "\(label) takes no actions from viewers", meaning: "Nothing was changed.",
      advice: "a HistoryTransceiver or a StoreObserver in the program, and a Decodable Action")
  }

  /// For an app that takes commands but keeps no actions to run again.
  static func runsNothingAgain(_ label: String) -> Failure {
    Failure(
      "\(label) cannot run its actions again", meaning: "They keep the order that they had.",
      advice: "statesurf back, jump or skip")
  }

  /// For `toggle` in an app that keeps no actions, and so does not know which are left out.
  static func cannotToggle(_ label: String) -> Failure {
    Failure(
      "\(label) cannot run its actions again",
      meaning: "It does not know which actions are left out: say which of the two you want.",
      advice:
        "statesurf skip ROW \(option(for: label)), or statesurf unskip ROW \(option(for: label))")
  }

  /// For an app built before there was a wheel, or one that accepts no resets.
  static func hasNoWheel(_ label: String) -> Failure {
    Failure(
      "\(label) has no wheel to take", meaning: "Nothing was sent.", advice: "without --drive")
  }

  /// Where the app is now that it has carried out the request.
  /// - Throws: what went wrong, if it has not done so.
  static func position(
    after answer: ResetAnswer, to question: Question, _ label: String, isDriven: Bool = false
  ) throws(Failure) -> Position {
    switch answer {
    case .answered(.applied, let position): return position
    case .answered(.rejected(let reason), let position):
      throw Failure(
        "\(label) refused the \(question.noun): \(reason)",
        meaning: "It changed nothing and is still at \(positionText(position)).",
        advice: isDriven
          ? "--drive, to take the wheel; all viewers will see it"
          : question.isAboutRows ? "statesurf watch --last 20, to see the rows" : "")
    case .answered(.forbidden, _): throw forbidden(label, question)
    case .answered(.busy, _):
      throw Failure(
        "\(label) is busy with other viewers' requests", meaning: "It changed nothing.",
        advice: "the same again in a moment")
    case .answered(.unavailable, let position), .answered(.mismatch, let position):
      throw Failure(
        "\(label) came to a state other than the one sent",
        meaning: "It is at \(positionText(position)); something garbled the state on the way.",
        advice: "again")
    case .timedOut:
      throw Failure(
        "\(label) did not answer in time", meaning: question.doubt,
        advice: "a longer --timeout, or `statesurf doctor`", exitCode: ExitCode.unanswered)
    case .unreachable:
      throw Failure(
        "\(label) is no longer there", meaning: "Nothing was applied.", advice: "statesurf list",
        exitCode: ExitCode.unanswered)
    case .observing, .tooLarge, .noState, .notSealed, .watchKeyOnly:
      throw unsent(answer, question, label)
    }
  }

  private static func unsent(
    _ answer: ResetAnswer, _ question: Question, _ label: String
  ) -> Failure {
    let (what, meaning, advice) =
      switch answer {
      case .tooLarge(let limit): ("the \(question.noun) is over \(byteText(limit))", "", "")
      case .noState:
        (
          "this state of \(label) is not here, or has no bytes", "",
          "statesurf watch \(shellWord(label)) --last 20, to see which rows have a state"
        )
      case .notSealed:
        (
          "\(label) is open, and you have a key", "Anybody may pose as it. ",
          "--open, if you know whose it is, or start the app with the key"
        )
      case .watchKeyOnly:
        (
          "you have the watch key of \(label)", "It lets you look on. ",
          "statesurf watch, or ask for the drive key"
        )
      default: ("this viewer observes only", "", "without --observe")
      }
    return Failure(what, meaning: meaning + "Nothing was sent.", advice: advice)
  }
}

extension AnswerReport.Question {
  fileprivate var isAboutRows: Bool {
    if case .command(let command) = self { command.replays } else { false }
  }

  fileprivate var doubt: String {
    switch self {
    case .state, .steps, .approximate:
      "It may or may not be in that state now; `statesurf list` shows where it is."
    case .command: "It may or may not have done it; `statesurf watch --last 5` shows what it did."
    }
  }
}

/// Reports the result of a rewrite. Only the app knows it: its answer names the record of the
/// revision, which contains the result.
struct RewriteReport {
  /// The record of the revision.
  let revision: SequenceNumber
  private let command: HistoryCommand<SequenceNumber>
  private let answer: ResetAnswer

  /// Nil if there is no revision to wait for.
  init?(_ answer: ResetAnswer, to question: AnswerReport.Question) {
    guard case .command(let command) = question, command.replays,
      case .answered(.applied, .record(let revision)) = answer
    else { return nil }
    (self.revision, self.command, self.answer) = (revision, command, answer)
  }

  /// - Parameter record: The revision; nil if it did not arrive.
  func actions(_ label: String, told record: Record? = nil) -> [CommandAction] {
    let revision = record?.revision
    let question = AnswerReport.Question.command(done(by: revision))
    return AnswerReport.actions(
      answer, to: question, label: label, note: " \(note(of: revision?.replay))")
  }

  /// With `toggle`, the app decides whether to leave out the row or to include it again.
  private func done(by revision: Revision?) -> HistoryCommand<SequenceNumber> {
    guard case .toggle(let row, nil) = command else { return command }
    let item = revision?.staging?.items.first { SequenceNumber($0.row) == row }
    return .toggle(row, skipped: item?.isSkipped)
  }

  private func note(of replay: Revision.Replay?) -> String {
    guard let replay else {
      return "(row \(revision), which says whether that is exact, did not arrive)"
    }
    return "(\(replay.doubt ?? "exact"))"
  }
}
