/// Exponential backoff for retries: the delay doubles with each failure, up to a limit.
package struct Backoff: Sendable {
  private let first: Duration
  package let longest: Duration

  package init(first: Duration, longest: Duration) { (self.first, self.longest) = (first, longest) }

  /// The delay after this number of consecutive failures, at least one.
  package func delay(failures: Int) -> Duration {
    // Turns a millisecond into a minute. A much larger shift could overflow.
    let shift = min(max(failures, 1) - 1, 16)
    return min(first * (1 << shift), longest)
  }

  /// The same with jitter, between half the delay and all of it, so that the clients of a restarted
  /// server do not all reconnect at once.
  package func delay(failures: Int, random: UInt64) -> Duration {
    let half = delay(failures: failures) / 2
    return half + half * (Double(random >> 11) * 0x1p-53)
  }
}
