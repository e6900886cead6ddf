import SurfWire

/// When a `Receiver` reports to the app how far it has read, and how large its window is
/// (Protocol.md §12).
struct WindowUpdateClock: Sendable {
  /// Packets that the app may be ahead.
  private(set) var window: WireCount
  private let windowMax: WireCount
  /// The newest packet in the last update; nil before the first.
  private var reported: SequenceNumber?

  /// With a smaller window, an update for every packet would outweigh the data.
  private static let windowMin: WireCount = 8

  init(windowMax: WireCount) {
    self.windowMax = max(windowMax, Self.windowMin)
    window = self.windowMax
  }

  /// Whether an update is due. There are four to a window, so losing one does not close it.
  func isDue(newest: SequenceNumber) -> Bool {
    guard let reported else { return true }
    return newest >= reported.advanced(by: window.divided(by: 4))
  }

  mutating func updateWasSent(newest: SequenceNumber) {
    reported = newest
    window = min(windowMax, window.adding(max(1, window.divided(by: 16))))
  }

  /// This viewer's socket overflowed: the window is too wide for its speed.
  mutating func socketOverflowed() { window = max(Self.windowMin, window.divided(by: 2)) }
}
