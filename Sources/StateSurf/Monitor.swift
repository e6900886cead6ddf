internal import Foundation

/// A value that one thread at a time touches, and whose changes others can wait for.
///
/// `Mutex` would do for the first half; nothing in Synchronization does for the second.
// Unchecked: `value` is only touched while `condition`, which is a lock, is held.
final class Monitor<Value: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var value: Value

  init(_ value: Value) { self.value = value }

  /// Changes the value, and wakes whoever waits for a change.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    return try body(&value)
  }

  /// Tries `body` now and after every change, until it returns something.
  func wait<Result>(for body: (inout Value) -> Result?) -> Result {
    condition.lock()
    defer {
      condition.broadcast()
      condition.unlock()
    }
    while true {
      if let result = body(&value) { return result }
      condition.wait()
    }
  }

  /// Waits at most `timeout` until the value is as `isSo` wants it; true if it became so.
  func wait(timeout: Duration, until isSo: (Value) -> Bool) -> Bool {
    let deadline = ContinuousClock.now + timeout
    condition.lock()
    defer { condition.unlock() }
    while !isSo(value) {
      let left = deadline - .now
      guard left > .zero else { return false }
      // `NSCondition` knows wall time only: short waits keep a clock that is set from hurting.
      let slice = min(left, .milliseconds(500))
      _ = condition.wait(until: Date(timeIntervalSinceNow: slice / .seconds(1)))
    }
    return true
  }
}
