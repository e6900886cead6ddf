#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A value that one thread at a time can access, and whose changes others can wait for.
///
/// A change that no thread waits for makes no system call, and a woken thread finds the lock free.
///
/// Not `Synchronization.Mutex`, which cannot wait for a change. The thread sanitizer also does not
/// see into its contended path, and reports races that do not exist.
///
/// Inlinable, so that other modules specialize it for their values.
@usableFromInline
// Unchecked: `contents` is only accessed while `mutex` is held.
package final class Monitor<Value>: @unchecked Sendable {
  @usableFromInline
  struct Contents {
    @usableFromInline var value: Value
    /// Whether a thread may have started to wait since all were last woken.
    @usableFromInline var isAwaited = false

    init(_ value: consuming Value) { self.value = value }
  }

  @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  @usableFromInline let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  // Pointers instead of properties, because Swift would check each access to a property again.
  @usableFromInline let contents = UnsafeMutablePointer<Contents>.allocate(capacity: 1)

  package init(_ value: sending Value) {
    contents.initialize(to: Contents(value))
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // Setting the wall clock must not change the length of a wait.
    #if !canImport(Darwin)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    #endif
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
    contents.deinitialize(count: 1)
    contents.deallocate()
  }

  /// Reads or changes the value, and wakes the threads that wait for a change. `body` must not call
  /// foreign code; do that afterwards.
  @inlinable @inline(__always) package func withLock<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(mutex)
    return try use(body)
  }

  /// The same, unless another thread holds the lock. Then it returns nil immediately.
  @inlinable @inline(__always) package func withLockIfFree<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result? {
    guard pthread_mutex_trylock(mutex) == 0 else { return nil }
    return try use(body)
  }

  /// Without `defer`, which the compiler turns into a function that it does not specialize.
  @inlinable @inline(__always) func use<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    do throws(Failure) {
      let result = try body(&contents.pointee.value)
      unlock()
      return result
    } catch {
      unlock()
      throw error
    }
  }

  /// Calls `body` now and after every change, until it returns a value. When it returns nil it must
  /// not change anything, because no other thread would be woken.
  @inlinable package func withLockOnce<Result>(
    _ body: (inout Value) -> sending Result?
  ) -> sending Result {
    pthread_mutex_lock(mutex)
    defer { unlock() }
    while true {
      if let result = body(&contents.pointee.value) { return result }
      sleep(until: nil)
    }
  }

  /// Waits until the value satisfies `isSo`; false if `deadline`, by `monotonicNow()`, comes first.
  @inlinable @discardableResult
  package func wait(until deadline: Duration? = nil, for isSo: (Value) -> Bool) -> Bool {
    pthread_mutex_lock(mutex)
    // Nothing was changed, so there is no thread to wake.
    defer { pthread_mutex_unlock(mutex) }
    while !isSo(contents.pointee.value) {
      if !sleep(until: deadline) { return isSo(contents.pointee.value) }
    }
    return true
  }

  /// Unlocks before it wakes threads, which would otherwise wait for the lock again.
  @inlinable func unlock() {
    let isAwaited = contents.pointee.isAwaited
    contents.pointee.isAwaited = false
    pthread_mutex_unlock(mutex)
    if isAwaited { pthread_cond_broadcast(changed) }
  }

  /// Waits for a change; may also return without one. False if the deadline came first.
  @usableFromInline @discardableResult
  func sleep(until deadline: Duration?) -> Bool {
    contents.pointee.isAwaited = true
    guard let deadline else { return pthread_cond_wait(changed, mutex) == 0 }
    #if canImport(Darwin)
      var time = timespec(deadline - monotonicNow())
      return pthread_cond_timedwait_relative_np(changed, mutex, &time) != ETIMEDOUT
    #else
      var time = timespec(deadline)
      return pthread_cond_timedwait(changed, mutex, &time) != ETIMEDOUT
    #endif
  }
}

/// Identifies a running thread, for `Store`; never zero. A new thread may get the key of one that
/// has ended.
package struct ThreadKey: Equatable, Sendable {
  /// The key as a number, for an atomic.
  package let number: UInt

  package static var current: ThreadKey {
    #if canImport(Glibc)
      ThreadKey(number: UInt(pthread_self()))
    #else
      ThreadKey(number: UInt(bitPattern: pthread_self()))
    #endif
  }
}
