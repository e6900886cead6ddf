internal import CSurfThreads
import Glibc
internal import Synchronization

/// Wakes a thread that waits for descriptors.
package final class Waker: Sendable {
  private let alarm: Descriptor
  /// Whether the alarm is set and not yet seen; saves the system call of a second `wake`.
  private let isSet = Atomic<Bool>(false)

  /// Fails only when the process has no descriptors left.
  package init() throws(ThreadError) {
    alarm = try Descriptor(owning: surf_waker_create()) { ThreadError.noDescriptor(errno: $0) }
  }

  /// Wait for it like a socket: it is readable from `wake` to `clear`.
  package var fileDescriptor: Int32 { alarm.raw }

  /// From any thread; what the caller wrote before is visible to the thread that clears it after.
  package func wake() {
    guard !isSet.exchange(true, ordering: .acquiringAndReleasing) else { return }
    surf_waker_set(alarm.raw)
  }

  /// Call it before looking for work, so that a change in between wakes again.
  ///
  /// Empties the eventfd first: in the other order, a `wake` in between would leave `isSet` true
  /// over an empty eventfd, and no later `wake` would be heard.
  package func clear() {
    surf_waker_clear(alarm.raw)
    _ = isSet.exchange(false, ordering: .acquiringAndReleasing)
  }
}

/// Owns a file descriptor, and closes it when it goes: also when a set-up fails half way.
package struct Descriptor: ~Copyable, Sendable {
  package let raw: Int32

  /// Takes over a descriptor. A negative number is a negated errno, of which `failure` makes an
  /// error.
  package init<Failure>(
    owning raw: Int32, orThrow failure: (_ errno: Int32) -> Failure
  ) throws(Failure) {
    guard raw >= 0 else { throw failure(-raw) }
    self.raw = raw
  }

  deinit { close(raw) }
}
