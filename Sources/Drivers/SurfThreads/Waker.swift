internal import CSurfThreads
import Glibc
internal import Synchronization

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
  /// It empties the eventfd first. In the other order, a `wake` in between would leave `isSet` true
  /// and the eventfd empty, and no later `wake` would have an effect.
  package func clear() {
    surf_waker_clear(alarm.raw)
    _ = isSet.exchange(false, ordering: .acquiringAndReleasing)
  }
}

/// Owns a file descriptor, and closes it at the end of its lifetime, even if an initializer fails
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
