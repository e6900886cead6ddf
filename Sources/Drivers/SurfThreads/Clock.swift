#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The time since a fixed moment (roughly the boot). It never jumps, and stops while the machine
/// sleeps. All waits use it.
package func monotonicNow() -> Duration {
  #if canImport(Darwin)
    let time = read(CLOCK_UPTIME_RAW)
  #else
    let time = read(CLOCK_MONOTONIC)
  #endif
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
package func uptimeNow() -> Int64 {
  #if canImport(Darwin)
    nanoseconds(read(CLOCK_MONOTONIC_RAW))
  #else
    nanoseconds(read(CLOCK_BOOTTIME))
  #endif
}

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

/// Cannot fail: these clocks exist on every system, and the pointer is valid.
private func read(_ clock: clockid_t) -> timespec {
  var time = timespec()
  clock_gettime(clock, &time)
  return time
}
