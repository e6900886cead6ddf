/// How long something may be held back.
struct ThinningInterval: Sendable {
  private let nanoseconds: UInt64

  /// Longer than anybody looks at a row and waits for the next.
  private static let durationMax = Duration.seconds(3_600)

  init(_ duration: Duration) {
    let (seconds, attoseconds) = min(max(duration, .zero), Self.durationMax).components
    nanoseconds = UInt64(clamping: seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
  }

  /// The end of one that begins at this uptime.
  func end(from start: UInt64) -> UInt64 {
    let (end, passes) = start.addingReportingOverflow(nanoseconds)
    return passes ? .max : end
  }
}
