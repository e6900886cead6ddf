import SurfWire

/// When to tell the app how far this viewer has read, and how much room there is (Protocol.md §12).
struct WindowUpdateClock: Sendable {
  /// Packets that the app may be ahead.
  private(set) var window: WireCount
  private let windowMax: WireCount
  /// The newest packet that the app knows was read; nil before the first update.
  private var told: SequenceNumber?

  /// Below this, an update for every packet would outweigh the data.
  private static let windowMin: WireCount = 8

  init(windowMax: WireCount) {
    self.windowMax = max(windowMax, Self.windowMin)
    window = self.windowMax
  }

  /// Whether an update is due: four to a window, so that losing one closes nothing.
  func isDue(newest: SequenceNumber) -> Bool {
    guard let told else { return true }
    return newest >= told.advanced(by: window.divided(by: 4))
  }

  mutating func updateWasSent(newest: SequenceNumber) {
    told = newest
    window = min(windowMax, window.adding(max(1, window.divided(by: 16))))
  }

  /// Our own socket overflowed: the window was wider than we are fast.
  mutating func socketOverflowed() { window = max(Self.windowMin, window.divided(by: 2)) }
}
