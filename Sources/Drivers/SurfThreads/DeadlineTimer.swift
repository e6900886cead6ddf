internal import CSurfThreads
import Glibc

/// A time until which a thread sleeps in a `Poller`, and which others may move.
///
/// A thread that gives the poller the deadline itself wakes at it even if it was put off meanwhile.
package final class DeadlineTimer: Sendable {
  private let timer: Descriptor

  /// Fails only when the process has no descriptors left.
  package init() throws(ThreadError) {
    timer = try Descriptor(owning: surf_timer_create()) { ThreadError.noDescriptor(errno: $0) }
  }

  /// Wait for it like a socket: it is readable once the time has come.
  package var fileDescriptor: Int32 { timer.raw }

  /// Sets another time, by the monotonic clock; one that has passed comes at once. From any thread.
  package func set(_ deadline: Duration) { surf_timer_set(timer.raw, timespec(deadline)) }
}
