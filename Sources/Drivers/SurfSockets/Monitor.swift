import Glibc

/// A value that one thread at a time touches, and for whose changes others can wait.
///
/// Not `Synchronization.Mutex`: that has no way to wait for a change, and the thread sanitizer does
/// not see into its contended path, so that it reports races where there are none.
// Unchecked: `value` is only touched while `mutex` is held.
package final class Monitor<Value>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  /// Guards `value` from now on.
  package init(_ value: sending Value) {
    self.value = value
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
  }

  /// Looks at the value or changes it. Do not call out from `body`; do that after.
  package func withLock<Result>(_ body: (inout Value) -> sending Result) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&value)
  }

  /// The same, unless another thread has the value now: then nil, at once.
  package func withLockIfFree<Result>(
    _ body: (inout Value) -> sending Result
  ) -> sending Result? {
    guard pthread_mutex_trylock(mutex) == 0 else { return nil }
    defer { pthread_mutex_unlock(mutex) }
    return body(&value)
  }

  /// Changes the value and wakes everybody who waits for a change.
  package func change(_ body: (inout Value) -> Void) {
    pthread_mutex_lock(mutex)
    body(&value)
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }

  /// Waits until the value is as `isSo` wants it; false if `deadline`, by `monotonicNow()`, came
  /// first.
  @discardableResult
  package func wait(until deadline: Duration? = nil, for isSo: (Value) -> Bool) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isSo(value) {
      if let deadline {
        if monotonicNow() >= deadline { return false }
        var time = timespec(deadline)
        pthread_cond_timedwait(changed, mutex, &time)
      } else {
        pthread_cond_wait(changed, mutex)
      }
    }
    return true
  }
}

extension timespec {
  fileprivate init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self.init(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
  }
}
