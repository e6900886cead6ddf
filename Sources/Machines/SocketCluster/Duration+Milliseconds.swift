extension Duration {
  /// Whole milliseconds, rounded towards zero and kept within the range of a timer.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    let (sum, overflowToo) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
    return overflow || overflowToo ? (seconds < 0 ? .min : .max) : sum
  }
}
