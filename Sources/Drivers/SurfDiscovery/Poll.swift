import Glibc

/// poll(2) and the clock it waits by.
enum Poll {
  /// Waits until a descriptor is readable, hung up or in error, or until `deadline`; returns those
  /// descriptors.
  static func wait(for descriptors: [Int32], until deadline: Duration?) -> [Int32] {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&entries, nfds_t(entries.count), milliseconds(until: deadline)) > 0 else {
      return []
    }
    return entries.filter { $0.revents != 0 }.map(\.fd)
  }

  /// Monotonic time since the system started.
  static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Rounded up, so that a wait never ends just before its deadline and spins.
  private static func milliseconds(until deadline: Duration?) -> Int32 {
    guard let deadline else { return -1 }
    let wait = max(deadline - now, .zero).components
    guard wait.seconds < 3600 else { return 3_600_000 }
    return Int32(
      wait.seconds * 1000 + (wait.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
