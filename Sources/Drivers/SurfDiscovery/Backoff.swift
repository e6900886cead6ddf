/// How long to wait after a failure: 1, 2, 4 … 30 s.
enum Backoff {
  /// A daemon's restart is seen within this time at worst.
  static let delayMax: Duration = .seconds(30)

  /// The wait after the given number of failures in a row, at least one.
  static func delay(failures: Int) -> Duration {
    // 2^5 s is beyond the maximum already; a greater shift could overflow.
    let shift = min(max(failures - 1, 0), 5)
    return min(.seconds(1 << shift), delayMax)
  }
}
