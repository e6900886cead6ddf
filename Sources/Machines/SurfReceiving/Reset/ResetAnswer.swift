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
  /// Nothing was sent: this viewer has a key, and whoever says to be this app has none.
  case notSealed
  /// Nothing was sent: of the app's key this viewer has the watch key alone.
  case watchKeyOnly
  /// Longer than a state may be.
  case tooLarge(limit: Int)
  /// Nothing was sent: nobody can make a state of what reflection saw of one.
  case notRestorable
}
