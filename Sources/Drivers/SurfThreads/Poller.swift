internal import CSurfThreads
import Glibc

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
  private let waker: Waker

  /// Fails only when the process has no descriptors left.
  package init() throws(ThreadError) { waker = try Waker() }

  /// Makes the current or the next `wait` return at once. From any thread; what the caller wrote
  /// before is visible to the loop after.
  package func wake() { waker.wake() }

  /// Sleeps until a descriptor is ready, the monotonic clock passes the deadline (`nil`: for ever),
  /// or `wake` is called. May return early with nothing to do. For one thread at a time.
  package func wait(
    reading: [Int32], writing: [Int32] = [], until deadline: Duration?
  ) throws(ThreadError) -> Wakeup {
    let wakeup = try Self.wait(
      for: waker.fileDescriptor, reading: reading, writing: writing, until: deadline)
    if wakeup.isWoken { waker.clear() }
    return wakeup
  }

  /// The same for who has nobody to tell that it fails.
  package func waitOrPause(
    reading: [Int32], writing: [Int32] = [], until deadline: Duration?
  ) -> Wakeup {
    do throws(ThreadError) {
      return try wait(reading: reading, writing: writing, until: deadline)
    } catch {
      // No memory, or more descriptors than the process may have: it would fail at once again.
      usleep(100_000)
      return Wakeup()
    }
  }

  /// The same for a thread that nobody wakes.
  package static func wait(
    reading: [Int32] = [], writing: [Int32] = [], until deadline: Duration?
  ) throws(ThreadError) -> Wakeup {
    // poll(2) passes over a negative descriptor.
    try wait(for: -1, reading: reading, writing: writing, until: deadline)
  }

  private static func wait(
    for waker: Int32, reading: [Int32], writing: [Int32], until deadline: Duration?
  ) throws(ThreadError) -> Wakeup {
    let count = reading.count + writing.count + 1
    let result: Result<Wakeup, ThreadError> = withUnsafeTemporaryAllocation(
      of: pollfd.self, capacity: count
    ) { entries in
      entries[0] = pollfd(fd: waker, events: Int16(POLLIN), revents: 0)
      for (index, descriptor) in reading.enumerated() {
        entries[1 + index] = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      }
      for (index, descriptor) in writing.enumerated() {
        entries[1 + reading.count + index] = pollfd(
          fd: descriptor, events: Int16(POLLOUT), revents: 0)
      }
      let ready = poll(entries, until: deadline)
      if ready == 0 || ready == -EINTR { return .success(Wakeup()) }
      if ready < 0 { return .failure(.noWait(errno: -ready)) }
      return .success(wakeup(entries, readingCount: reading.count))
    }
    return try result.get()
  }

  private static func poll(
    _ entries: UnsafeMutableBufferPointer<pollfd>, until deadline: Duration?
  ) -> Int32 {
    guard let deadline else { return surf_poll(entries.baseAddress, UInt32(entries.count), nil) }
    // Rounded up, or the loop would spin through the last nanosecond.
    var timeout = timespec(max(deadline - monotonicNow(), .zero) + .nanoseconds(1))
    return surf_poll(entries.baseAddress, UInt32(entries.count), &timeout)
  }

  private static func wakeup(
    _ entries: UnsafeMutableBufferPointer<pollfd>, readingCount: Int
  ) -> Wakeup {
    var wakeup = Wakeup()
    for (index, entry) in entries.enumerated() where entry.revents != 0 {
      switch index {
      case 0: wakeup.isWoken = true
      case ...readingCount: wakeup.readable.append(entry.fd)
      default: wakeup.writable.append(entry.fd)
      }
    }
    return wakeup
  }
}
