internal import CSurfSystem
import Glibc

/// The time since a fixed moment (roughly the boot). It never jumps, and stops while the machine
/// sleeps. All waits use it.
package func monotonicNow() -> Duration {
  let time = read(CLOCK_MONOTONIC)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// The time, by `monotonicNow()`, after a duration that a caller chose. Any duration is valid: it
/// is clamped to between zero and a century.
package func monotonicTime(after duration: Duration) -> Duration {
  monotonicNow() + min(max(duration, .zero), farOff)
}

/// The wall clock: nanoseconds since 1970, UTC. It may jump.
package func wallNow() -> Int64 { nanoseconds(read(CLOCK_REALTIME)) }

/// Nanoseconds since the boot, including those while the machine slept. Like `ContinuousClock`, but
/// faster.
package func uptimeNow() -> Int64 { nanoseconds(read(CLOCK_BOOTTIME)) }

/// A century: later than any thread waits, and early enough that no sum overflows.
private let farOff = Duration.seconds(3_200_000_000)

extension timespec {
  /// Clamped to between zero and a century.
  init(_ duration: Duration) {
    let (seconds, attoseconds) = min(max(duration, .zero), farOff).components
    self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
  }
}

private func nanoseconds(_ time: timespec) -> Int64 {
  Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}

/// Cannot fail: all of these clocks exist on every Linux, and the pointer is valid.
private func read(_ clock: clockid_t) -> timespec {
  var time = timespec()
  clock_gettime(clock, &time)
  return time
}

/// A time until which a broadcaster's thread sleeps in a `Poller`, and which other threads may
/// move.
///
/// A deadline passed to the poller could not be postponed: the thread would wake at the old one.
package final class DeadlineTimer: Sendable {
  private let timer: Descriptor

  /// Fails only when the process has no descriptors left.
  package init() throws(ThreadError) {
    timer = try Descriptor(owning: surf_timer_create()) { ThreadError.noDescriptor(errno: $0) }
  }

  /// Readable once the time has come.
  package var fileDescriptor: Int32 { timer.raw }

  /// Sets another time, by the monotonic clock. A past one takes effect immediately. Thread-safe.
  package func set(_ deadline: Duration) { surf_timer_set(timer.raw, timespec(deadline)) }
}
