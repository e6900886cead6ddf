internal import Glibc
internal import Synchronization

/// Distinguishes a forked child from its parent, for `Recorder`.
///
/// A child has none of our threads. A lock that one of the parent's threads held stays held
/// forever, so the child must not touch what the parent made.
enum Fork {
  private static let count = Atomic(0)
  private static let isWatched = pthread_atfork(nil, nil) {
    count.add(1, ordering: .relaxed)
  }

  /// A different number in each forked child of a process that has called this.
  static var generation: Int {
    _ = isWatched
    return count.load(ordering: .relaxed)
  }
}
