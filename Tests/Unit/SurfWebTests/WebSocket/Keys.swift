import Synchronization

/// Gives 1, 2, 3, ... as masking keys.
final class Keys: Sendable {
  private let last = Mutex<UInt32>(0)

  func next() -> UInt32 {
    last.withLock {
      $0 += 1
      return $0
    }
  }
}
