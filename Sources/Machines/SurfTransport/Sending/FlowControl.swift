import SurfWire

/// How far a `Sender` may run ahead of its viewers (Protocol.md §12).
///
/// Each viewer that reports has a window: the number of packets beyond those that it has read. The
/// smallest window counts, so that no viewer's socket overflows. A viewer that blocks the stream
/// for a while, and reports nothing meanwhile, is left behind and gets gaps. It must not hold up
/// the others.
struct FlowControl: Sendable {
  private struct Viewer: Sendable {
    /// The newest packet that it can buffer.
    var limit: SequenceNumber
    /// Packets that it can buffer when it has read everything.
    var window: WireCount
    /// Since when it blocks the stream without a report; nil if it does not.
    var blockedAt: Duration?
  }

  private var viewers: [Endpoint: Viewer] = [:]
  /// The newest packet that every viewer can buffer; nil if none has reported.
  private(set) var limit: SequenceNumber?
  /// The smallest window.
  private var window: WireCount = 0

  /// More viewers would not make the stream safer.
  private static let viewerCountMax = 64

  /// Whether any viewer reports its progress.
  var hasWindows: Bool { limit != nil }

  /// - Parameter next: the next packet to send.
  mutating func receive(
    _ update: WindowUpdate, from endpoint: Endpoint, next: SequenceNumber
  ) {
    let limit = update.newestPacket.advanced(by: update.window)
    if viewers[endpoint] == nil {
      // A viewer that was left behind still reads its socket's buffer and reports all the while. It
      // counts again only once it has caught up with the stream.
      guard limit >= next, viewers.count < Self.viewerCountMax else { return }
    }
    viewers[endpoint] = Viewer(limit: limit, window: update.window)
    settle()
  }

  /// How many of `count` packets from `next` on may leave now.
  ///
  /// None until all of them fit, or a good part of the window is open. Otherwise the sender would
  /// make a system call for every few packets read (RFC 1122 §4.2.3.4, the silly window syndrome).
  func allowance(from next: SequenceNumber, count: Int) -> Int {
    guard let limit else { return count }
    let room = next.distance(to: limit.next).clamped(to: count)
    let enough = max(1, window.divided(by: 4).clamped(to: count))
    return room < enough ? 0 : room
  }

  /// Leaves behind viewers that cannot buffer `next` and have been silent ever since. A viewer with
  /// room may have been silent for hours before.
  mutating func forget(before next: SequenceNumber, at now: Duration) {
    guard let limit, limit < next else { return }
    for (endpoint, viewer) in viewers where viewer.limit < next {
      if let blockedAt = viewer.blockedAt {
        if now - blockedAt >= Timers.stall { viewers[endpoint] = nil }
      } else {
        viewers[endpoint]?.blockedAt = now
      }
    }
    settle()
  }

  private mutating func settle() {
    limit = viewers.values.lazy.map(\.limit).min()
    window = viewers.values.lazy.map(\.window).min() ?? 0
  }
}
