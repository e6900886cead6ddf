/// How long to wait after a failure: each time twice as long as before, up to a bound.
package struct Backoff: Sendable {
  private let first: Duration
  /// The longest wait.
  package let longest: Duration

  package init(first: Duration, longest: Duration) { (self.first, self.longest) = (first, longest) }

  /// The wait after the given number of failures in a row, at least one.
  package func delay(failures: Int) -> Duration {
    // Makes a minute of a millisecond; a much greater shift could overflow.
    let shift = min(max(failures, 1) - 1, 16)
    return min(first * (1 << shift), longest)
  }

  /// Between half of that and all of it, by chance: the clients of a returning server must not all
  /// come at once.
  package func delay(failures: Int, random: UInt64) -> Duration {
    let half = delay(failures: failures) / 2
    return half + half * (Double(random >> 11) * 0x1p-53)
  }
}
