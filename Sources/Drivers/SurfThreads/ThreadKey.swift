import Glibc

/// Tells running threads apart; never zero. A thread that begins later may get the key of one that
/// has ended.
package struct ThreadKey: Equatable, Sendable {
  /// The key as a number, for an atomic.
  package let number: UInt

  /// The calling thread's.
  package static var current: ThreadKey { ThreadKey(number: UInt(pthread_self())) }
}
