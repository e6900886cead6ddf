import SurfWire

/// How far the stream may run ahead of its viewers (Protocol.md §12).
///
/// Each viewer that reports has a window: so many packets beyond what it has read. The smallest
/// counts, so that nobody's socket overflows. A viewer that stands in the way and reports nothing
/// new for a while is left behind, to be told of gaps: it must not hold up the others.
struct Flow: Sendable {
  private struct Viewer: Sendable {
    /// The newest packet that it has room for.
    var limit: UInt64
    var reportedAt: Duration
  }

  private var viewers: [Endpoint: Viewer] = [:]
  /// The newest packet that everybody has room for; nil if nobody has reported.
  private(set) var limit: UInt64?

  /// More do not make the stream safer.
  private static let viewerCountMax = 64

  /// Whether at least one viewer tells how far it is.
  var isReported: Bool { limit != nil }

  mutating func receive(_ report: Report, from endpoint: Endpoint, at now: Duration) {
    guard viewers[endpoint] != nil || viewers.count < Self.viewerCountMax else { return }
    let limit = report.newestPacket &+ UInt64(report.window)
    viewers[endpoint] = Viewer(limit: limit, reportedAt: now)
    self.limit = viewers.values.lazy.map(\.limit).min()
  }

  /// How many packets from `next` on there is room for.
  func room(from next: UInt64) -> Int {
    guard let limit else { return .max }
    return next > limit ? 0 : Int(clamping: limit - next + 1)
  }

  /// Leaves behind who has no room for `next` and is silent, slow or not there any more.
  mutating func forsake(before next: UInt64, at now: Duration) {
    guard room(from: next) == 0 else { return }
    viewers = viewers.filter { $0.value.limit >= next || now - $0.value.reportedAt < Timers.stall }
    limit = viewers.values.lazy.map(\.limit).min()
  }
}
