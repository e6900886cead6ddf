public import Synchronization

/// The thread that has it works through the turns of a store; the store is idle while nobody does.
///
/// It is taken without the lock, and laid down under it by the thread that has found no turn
/// waiting: so no turn is left behind.
@usableFromInline
struct Baton: ~Copyable, Sendable {
  @usableFromInline let isTaken = Atomic(false)

  /// False if another has it, or the caller itself.
  @inlinable
  func take() -> Bool {
    isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
  }

  @inlinable
  func layDown() { isTaken.store(false, ordering: .releasing) }
}
