import SurfNetwork
import SurfWire

/// What became of a restore, for the person who asked for it.
struct AnswerReport {
  let actions: [CommandAction]

  init(_ answer: ResetAnswer, label: String) {
    switch answer {
    case .answered(.applied, let position):
      let line = Line("\(label) is at \(positionText(position)) (applied)")
      actions = [.print(line), .exit(ExitCode.done)]
    case .answered(.rejected(let reason), let position):
      actions = [
        .fail(
          Failure(
            "\(label) refused the state: \(reason)",
            meaning: "It changed nothing and is still at \(positionText(position))."))
      ]
    case .answered(.forbidden, _): actions = [.fail(Self.forbidden(label))]
    case .answered(.busy, _):
      actions = [
        .fail(
          Failure(
            "\(label) is busy with states of other viewers", meaning: "It changed nothing.",
            advice: "again in a moment"))
      ]
    case .timedOut, .unreachable, .tooLarge: actions = [.fail(Self.unanswered(answer, label))]
    }
  }

  static func forbidden(_ label: String) -> Failure {
    Failure(
      "\(label) takes no states from outside", meaning: "It was started to be watched only.",
      advice: "statesurf watch, or start the app with restores on")
  }

  private static func unanswered(_ answer: ResetAnswer, _ label: String) -> Failure {
    if case .tooLarge(let limit) = answer {
      return Failure("the state is over \(byteText(limit))", meaning: "Nothing was sent.")
    }
    if case .unreachable = answer {
      return Failure(
        "\(label) is no longer there", meaning: "Nothing was applied.", advice: "statesurf list",
        exitCode: ExitCode.unanswered)
    }
    return Failure(
      "\(label) did not answer in time",
      meaning: "It may or may not be in that state now; `statesurf list` shows where it is.",
      advice: "a longer --timeout, or `statesurf doctor`", exitCode: ExitCode.unanswered)
  }
}
