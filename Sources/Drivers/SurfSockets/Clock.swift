import Glibc

/// The time since some fixed moment (the boot, by and large); it never jumps.
package func monotonicNow() -> Duration {
  let time = read(CLOCK_MONOTONIC)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// The wall clock: nanoseconds since 1970, UTC. It may jump.
package func wallNow() -> Int64 {
  let time = read(CLOCK_REALTIME)
  return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
}

/// Cannot fail: both clocks exist on every Linux, and the pointer is good.
private func read(_ clock: clockid_t) -> timespec {
  var time = timespec()
  clock_gettime(clock, &time)
  return time
}
