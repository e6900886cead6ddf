#if canImport(Glibc)
  internal import CSurfSystem
  import Glibc
  internal import Synchronization

  /// Why `Poller.wait` returned. All empty: the deadline passed, or a signal came.
  package struct Wakeup: Equatable, Sendable {
    /// The descriptors with data to read, or an error that a read reports.
    package var readable: [Int32]
    /// The descriptors that accept data again, or have an error that a write reports.
    package var writable: [Int32]
    /// The watched descriptors whose other end every process has closed.
    package var abandoned: [Int32]
    /// Whether `Poller.wake()` was called since the last `wait`.
    package var isWoken: Bool

    package init(
      readable: [Int32] = [], writable: [Int32] = [], abandoned: [Int32] = [], isWoken: Bool = false
    ) {
      self.readable = readable
      self.writable = writable
      self.abandoned = abandoned
      self.isWoken = isWoken
    }
  }

  /// Where a loop's thread sleeps until a socket is ready, a deadline passes, or `wake` is called.
  package final class Poller: Sendable {
    private let waker: Waker

    /// Fails only when the process has no descriptors left.
    package init() throws(ThreadError) { waker = try Waker() }

    /// Makes the current or the next `wait` return immediately. Thread-safe. The loop sees
    /// everything that the caller wrote before.
    package func wake() { waker.wake() }

    /// Sleeps until a descriptor is ready, the monotonic clock passes the deadline (`nil`: never),
    /// or `wake` is called. May return early without a reason. For one thread at a time.
    package func wait(
      reading: [Int32], writing: [Int32] = [], until deadline: Duration?
    ) throws(ThreadError) -> Wakeup {
      let wakeup = try Self.wait(
        Interest(waker: waker.fileDescriptor, reading: reading, writing: writing), until: deadline)
      if wakeup.isWoken { waker.clear() }
      return wakeup
    }

    /// The same for a caller that cannot report an error.
    package func waitOrPause(
      reading: [Int32], writing: [Int32] = [], until deadline: Duration?
    ) -> Wakeup {
      do throws(ThreadError) {
        return try wait(reading: reading, writing: writing, until: deadline)
      } catch {
        // No memory, or more descriptors than the process may have: a retry would fail immediately.
        usleep(100_000)
        return Wakeup()
      }
    }

    /// The same without a waker. For descriptors in `watching`, it only checks whether the other
    /// end is still open.
    package static func wait(
      reading: [Int32] = [], writing: [Int32] = [], watching: [Int32] = [],
      until deadline: Duration?
    ) throws(ThreadError) -> Wakeup {
      try wait(Interest(reading: reading, writing: writing, watching: watching), until: deadline)
    }

    private struct Interest {
      // poll(2) ignores a negative descriptor.
      var waker: Int32 = -1
      let reading: [Int32]
      let writing: [Int32]
      var watching: [Int32] = []

      var count: Int { 1 + reading.count + writing.count + watching.count }

      func write(to entries: UnsafeMutableBufferPointer<pollfd>) {
        var index = 0
        func add(_ descriptor: Int32, _ events: Int32) {
          entries[index] = pollfd(fd: descriptor, events: Int16(events), revents: 0)
          index += 1
        }
        add(waker, POLLIN)
        for descriptor in reading { add(descriptor, POLLIN) }
        for descriptor in writing { add(descriptor, POLLOUT) }
        for descriptor in watching { add(descriptor, 0) }
      }

      func wakeup(_ entries: UnsafeMutableBufferPointer<pollfd>) -> Wakeup {
        var wakeup = Wakeup(isWoken: entries[0].revents != 0)
        let writing = 1 + reading.count
        let watching = writing + self.writing.count
        for (index, entry) in entries.enumerated().dropFirst() where entry.revents != 0 {
          switch index {
          case ..<writing: wakeup.readable.append(entry.fd)
          case ..<watching: wakeup.writable.append(entry.fd)
          // Not for an invalid descriptor.
          case _ where Int32(entry.revents) & (POLLERR | POLLHUP) != 0:
            wakeup.abandoned.append(entry.fd)
          default: break
          }
        }
        return wakeup
      }
    }

    private static func wait(
      _ interest: Interest, until deadline: Duration?
    ) throws(ThreadError) -> Wakeup {
      try withUnsafeTemporaryAllocation(of: pollfd.self, capacity: interest.count) {
        entries throws(ThreadError) in
        interest.write(to: entries)
        let ready = poll(entries, until: deadline)
        if ready == 0 || ready == -EINTR { return Wakeup() }
        if ready < 0 { throw .noWait(errno: -ready) }
        return interest.wakeup(entries)
      }
    }

    private static func poll(
      _ entries: UnsafeMutableBufferPointer<pollfd>, until deadline: Duration?
    ) -> Int32 {
      guard let deadline else { return surf_poll(entries.baseAddress, UInt32(entries.count), nil) }
      // Rounded up, or the loop would spin for the last nanosecond.
      var timeout = timespec(max(deadline - monotonicNow(), .zero) + .nanoseconds(1))
      return surf_poll(entries.baseAddress, UInt32(entries.count), &timeout)
    }
  }

  /// Wakes a thread that polls descriptors. `Poller` has one; other loops poll one themselves.
  package final class Waker: Sendable {
    private let alarm: Descriptor
    /// Whether the alarm is set and not cleared. Saves the system call of a second `wake`.
    private let isSet = Atomic<Bool>(false)

    /// Fails only when the process has no descriptors left.
    package init() throws(ThreadError) {
      alarm = try Descriptor(owning: surf_waker_create()) { ThreadError.noDescriptor(errno: $0) }
    }

    /// Readable from `wake` to `clear`.
    package var fileDescriptor: Int32 { alarm.raw }

    /// Thread-safe. The thread that calls `clear` afterwards sees everything that the caller wrote
    /// before.
    package func wake() {
      guard !isSet.exchange(true, ordering: .acquiringAndReleasing) else { return }
      surf_waker_set(alarm.raw)
    }

    /// Call it before looking for work, so that a later change wakes the thread again.
    ///
    /// It empties the eventfd first. In the other order, a `wake` in between would leave `isSet`
    /// true and the eventfd empty, and no later `wake` would have an effect.
    package func clear() {
      surf_waker_clear(alarm.raw)
      _ = isSet.exchange(false, ordering: .acquiringAndReleasing)
    }
  }

  /// Owns a file descriptor, and closes it when its own lifetime ends, even if an initializer fails
  /// half way.
  package struct Descriptor: ~Copyable, Sendable {
    package let raw: Int32

    /// Takes ownership of a descriptor. `failure` turns a negated errno into an error.
    package init<Failure>(
      owning raw: Int32, orThrow failure: (_ errno: Int32) -> Failure
    ) throws(Failure) {
      guard raw >= 0 else { throw failure(-raw) }
      self.raw = raw
    }

    deinit { close(raw) }
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
#endif
