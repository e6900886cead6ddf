import SurfWire

/// The result of a reset, as far as the viewer can know.
package enum ResetAnswer: Equatable, Sendable {
  case answered(Outcome.Result, Position)
  /// Nothing in time; the app may or may not be in that state.
  case timedOut
  /// No such instance is alive.
  case unreachable
  /// Nothing was sent: this viewer only observes.
  case observing
  /// Longer than a state may be.
  case tooLarge(limit: Int)
}
