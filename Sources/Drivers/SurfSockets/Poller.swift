import CSurfSockets
import Glibc
import Synchronization

/// Why `Poller.wait` returned. All empty: the deadline passed, or a signal came.
package struct Wakeup: Equatable, Sendable {
  /// The descriptors that have something to read, or an error to be found by reading.
  package var readable: [Int32]
  /// The descriptors that have room again, or an error to be found by writing.
  package var writable: [Int32]
  /// Whether `Poller.wake()` was called since the last `wait`.
  package var isWoken: Bool

  /// A wakeup for these reasons.
  package init(readable: [Int32] = [], writable: [Int32] = [], isWoken: Bool = false) {
    self.readable = readable
    self.writable = writable
    self.isWoken = isWoken
  }
}

/// Where a loop's thread sleeps: until a socket is ready, a moment has come or someone wakes it.
package final class Poller: Sendable {
  private let alarm: Descriptor
  /// Whether the alarm is set and not yet seen; saves the system call of a second `wake`.
  private let isSet = Atomic<Bool>(false)

  /// Fails only when the process has no descriptors left.
  package init() throws(SocketError) {
    alarm = try Descriptor(owning: surf_alarm_create(), .open)
  }

  /// Makes the current or the next `wait` return at once. From any thread; what the caller wrote
  /// before is visible to the loop after.
  package func wake() {
    guard !isSet.exchange(true, ordering: .acquiringAndReleasing) else { return }
    surf_alarm_set(alarm.raw)
  }

  /// Sleeps until a descriptor is ready, the monotonic clock passes the deadline (`nil`: for ever),
  /// or `wake` is called. May return early with nothing to do. For one thread at a time.
  package func wait(
    reading: [Int32], writing: [Int32] = [], until deadline: Duration?
  ) throws(SocketError) -> Wakeup {
    let count = reading.count + writing.count + 1
    let result: Result<Wakeup, SocketError> = withUnsafeTemporaryAllocation(
      of: pollfd.self, capacity: count
    ) { entries in
      entries[0] = pollfd(fd: alarm.raw, events: Int16(POLLIN), revents: 0)
      for (index, descriptor) in reading.enumerated() {
        entries[1 + index] = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      }
      for (index, descriptor) in writing.enumerated() {
        entries[1 + reading.count + index] = pollfd(
          fd: descriptor, events: Int16(POLLOUT), revents: 0)
      }
      let ready = Self.poll(entries, until: deadline)
      if ready == 0 || ready == -EINTR { return .success(Wakeup()) }
      if ready < 0 { return .failure(.system(.poll, errno: -ready)) }
      return .success(wakeup(entries, readingCount: reading.count))
    }
    return try result.get()
  }

  private static func poll(
    _ entries: UnsafeMutableBufferPointer<pollfd>, until deadline: Duration?
  ) -> Int32 {
    guard let deadline else { return surf_poll(entries.baseAddress, UInt32(entries.count), nil) }
    // A day at most: an absurd deadline costs an early return, not an overflow.
    let (seconds, attoseconds) = min(max(deadline - monotonicNow(), .zero), .seconds(86_400))
      .components
    // Rounded up, or the loop would spin through the last nanosecond.
    var timeout = timespec(
      tv_sec: Int(seconds), tv_nsec: min(Int(attoseconds / 1_000_000_000) + 1, 999_999_999))
    return surf_poll(entries.baseAddress, UInt32(entries.count), &timeout)
  }

  private func wakeup(
    _ entries: UnsafeMutableBufferPointer<pollfd>, readingCount: Int
  ) -> Wakeup {
    var wakeup = Wakeup()
    for (index, entry) in entries.enumerated() where entry.revents != 0 {
      switch index {
      case 0:
        clearAlarm()
        wakeup.isWoken = true
      case ...readingCount: wakeup.readable.append(entry.fd)
      default: wakeup.writable.append(entry.fd)
      }
    }
    return wakeup
  }

  /// Empties the eventfd first: cleared the other way round, a `wake` in between would leave
  /// `isSet` true over an empty eventfd, and no later `wake` would be heard.
  private func clearAlarm() {
    surf_alarm_clear(alarm.raw)
    _ = isSet.exchange(false, ordering: .acquiringAndReleasing)
  }
}
