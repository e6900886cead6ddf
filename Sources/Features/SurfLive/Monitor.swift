internal import Glibc

/// A value that one thread at a time touches, and whose changes others can wait for.
///
/// `Mutex` would do for the first half; nothing in Synchronization does for the second. A change
/// that nobody waits for makes no system call, and who is woken finds the lock free.
// Unchecked: what `value` points to, and `isAwaited`, are only touched while `mutex` is held.
final class Monitor<Value: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  // Not a property: of that Swift would check each access once more.
  private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)
  /// Whether anybody may have begun to wait since all were last woken.
  private var isAwaited = false

  init(_ value: Value) {
    self.value.initialize(to: value)
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // A wall clock that is set must not shorten or lengthen a wait.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
    value.deinitialize(count: 1)
    value.deallocate()
  }

  /// Changes the value, and wakes whoever waits for a change.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { unlock() }
    return try body(&value.pointee)
  }

  /// Tries `body` now and after every change, until it returns something. It must change nothing
  /// when it does not: nobody would hear of it.
  func wait<Result>(for body: (inout Value) -> Result?) -> Result {
    pthread_mutex_lock(mutex)
    defer { unlock() }
    while true {
      if let result = body(&value.pointee) { return result }
      isAwaited = true
      pthread_cond_wait(changed, mutex)
    }
  }

  /// Waits at most `timeout` until the value is as `isSo` wants it; true if it became so.
  func wait(timeout: Duration, until isSo: (Value) -> Bool) -> Bool {
    var deadline = timespec(fromNow: timeout)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isSo(value.pointee) {
      isAwaited = true
      guard pthread_cond_timedwait(changed, mutex, &deadline) != ETIMEDOUT else {
        return isSo(value.pointee)
      }
    }
    return true
  }

  /// The lock first: a thread that is woken while it is held would only wait again.
  private func unlock() {
    let isAwaited = isAwaited
    self.isAwaited = false
    pthread_mutex_unlock(mutex)
    if isAwaited { pthread_cond_broadcast(changed) }
  }
}

extension timespec {
  /// `CLOCK_MONOTONIC`'s time after `duration`; a time long past and one far off are as good as
  /// any other.
  fileprivate init(fromNow duration: Duration) {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let far = Duration.seconds(1 << 32)
    let (seconds, attoseconds) =
      (.seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
      + min(max(duration, .zero), far)).components
    self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
  }
}
