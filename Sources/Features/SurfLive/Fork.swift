internal import Glibc
internal import Synchronization

/// Tells a process from the one it was forked off.
///
/// A child has none of our threads. A lock that one of the parent's threads held stays held
/// forever, so the child must not touch what the parent made.
enum Fork {
  private static let count = Atomic(0)
  private static let isWatched = pthread_atfork(nil, nil) {
    count.add(1, ordering: .relaxed)
  }

  /// Another number in each child of a process that has asked.
  static var generation: Int {
    _ = isWatched
    return count.load(ordering: .relaxed)
  }
}
