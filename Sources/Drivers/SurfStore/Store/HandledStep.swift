internal import SurfThreads
internal import Synchronization

/// Which step a middleware is handling, and on which thread: what it dispatches there comes of it.
struct HandledStep: ~Copyable, Sendable {
  /// Zero while no middleware is at work.
  private let thread = Atomic<UInt>(0)
  /// Only its own thread reads it.
  private let step = Atomic<UInt64>(0)

  /// Calls `body` on behalf of `step`. The store does this in turns, so it is never nested.
  func during<Result>(_ step: UInt64, _ body: () -> Result) -> Result {
    self.step.store(step, ordering: .relaxed)
    thread.store(ThreadKey.current.number, ordering: .relaxed)
    defer { thread.store(0, ordering: .relaxed) }
    return body()
  }

  /// The step, if the calling thread is the one that handles it.
  var onThisThread: UInt64? {
    guard thread.load(ordering: .relaxed) == ThreadKey.current.number else { return nil }
    return step.load(ordering: .relaxed)
  }
}
