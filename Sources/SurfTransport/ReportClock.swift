/// When to tell the app how far this viewer has read, and how much room there is (Protocol.md §12).
struct ReportClock: Sendable {
  /// Packets that the app may be ahead.
  private(set) var window: UInt64
  private let windowMax: UInt64
  /// The newest packet that the app knows to be read; nil before the first report.
  private var reported: UInt64?

  /// Below this, a report for every packet would be more than the data.
  private static let windowMin: UInt64 = 8

  init(windowMax: UInt64) {
    self.windowMax = max(windowMax, Self.windowMin)
    window = self.windowMax
  }

  /// Whether it is time for a report: four to a window, so that losing one closes nothing.
  func isDue(newest: UInt64) -> Bool {
    guard let reported else { return true }
    return newest >= reported + window / 4
  }

  mutating func reportWasSent(newest: UInt64) {
    reported = newest
    window = min(windowMax, window + max(1, window / 16))
  }

  /// Our own socket had no room: the window was wider than we are fast.
  mutating func socketOverflowed() { window = max(Self.windowMin, window / 2) }
}
