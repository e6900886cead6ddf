import CSurfSockets
import Glibc

/// A time until which somebody sleeps in a `Poller`, and which others may move.
///
/// Whoever passes a deadline to the poller itself is woken by it although it was put off meanwhile.
package final class DeadlineTimer: Sendable {
  private let timer: Descriptor

  /// Fails only when the process has no descriptors left.
  package init() throws(SocketError) {
    timer = try Descriptor(owning: surf_timer_create(), .open)
  }

  /// To be waited for like a socket: it has something to read once the time has come.
  package var fileDescriptor: Int32 { timer.raw }

  /// Sets another time, by the monotonic clock; one that has passed comes at once. From any thread.
  package func set(_ deadline: Duration) {
    // A century at most: an absurd deadline is no overflow.
    let (seconds, attoseconds) = min(max(deadline, .zero), .seconds(3_200_000_000)).components
    surf_timer_set(
      timer.raw, timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000)))
  }
}
