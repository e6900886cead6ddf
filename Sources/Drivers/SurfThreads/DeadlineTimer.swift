internal import CSurfThreads
import Glibc

/// A time until which somebody sleeps in a `Poller`, and which others may move.
///
/// Whoever passes a deadline to the poller itself is woken by it although it was put off meanwhile.
package final class DeadlineTimer: Sendable {
  private let timer: Descriptor

  /// Fails only when the process has no descriptors left.
  package init() throws(ThreadError) {
    timer = try Descriptor(owning: surf_timer_create()) { ThreadError.noDescriptor(errno: $0) }
  }

  /// To be waited for like a socket: it has something to read once the time has come.
  package var fileDescriptor: Int32 { timer.raw }

  /// Sets another time, by the monotonic clock; one that has passed comes at once. From any thread.
  package func set(_ deadline: Duration) { surf_timer_set(timer.raw, timespec(deadline)) }
}
