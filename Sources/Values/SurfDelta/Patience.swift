/// When to compare, if comparing did not pay: each failure doubles the number of states to let
/// pass.
package struct Patience: Sendable {
  private static let pauseMax = 64

  private var pause = 0
  private var restCount = 0

  package init() {}

  /// Whether the next state is worth a trial. Each question counts.
  package mutating func allowsTrial() -> Bool {
    guard restCount > 0 else { return true }
    restCount -= 1
    return false
  }

  /// The result of the trial.
  package mutating func note(succeeded: Bool) {
    pause = succeeded ? 0 : min(max(1, 2 * pause), Self.pauseMax)
    restCount = pause
  }
}
