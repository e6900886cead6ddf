internal import CSurfThreads
import Glibc

/// The time since some fixed moment (the boot, by and large); it never jumps, and stands still
/// while the machine sleeps. All waits use it.
package func monotonicNow() -> Duration {
  let time = read(CLOCK_MONOTONIC)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// The moment, by `monotonicNow()`, after a time that a caller chose: one that has passed and one
/// far off are as good as any other.
package func monotonicTime(after duration: Duration) -> Duration {
  monotonicNow() + min(max(duration, .zero), farOff)
}

/// The wall clock: nanoseconds since 1970, UTC. It may jump.
package func wallNow() -> Int64 { nanoseconds(read(CLOCK_REALTIME)) }

/// Nanoseconds since the boot, including those in which the machine slept. `ContinuousClock` gives
/// the same time, and takes longer for it.
package func uptimeNow() -> Int64 { nanoseconds(read(CLOCK_BOOTTIME)) }

/// A century: later than any thread waits, and so early that no sum overflows.
private let farOff = Duration.seconds(3_200_000_000)

extension timespec {
  /// Not negative, and a century at most.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = min(max(duration, .zero), farOff).components
    self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
  }
}

private func nanoseconds(_ time: timespec) -> Int64 {
  Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}

/// Cannot fail: all of these clocks exist on every Linux, and the pointer is good.
private func read(_ clock: clockid_t) -> timespec {
  var time = timespec()
  clock_gettime(clock, &time)
  return time
}

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
