internal import SurfThreads
internal import Synchronization

/// Whose turn it is while user code hears of it, and on which thread: what that code dispatches
/// there comes of it.
struct HandledTurn: ~Copyable, Sendable {
  /// Zero while nobody hears of anything.
  private let thread = Atomic<UInt>(0)
  // Only the thread above reads these.
  private let number = Atomic<UInt64>(0)
  private let isRestore = Atomic(false)

  /// Calls `body` on behalf of `cause`. The store does this in turns, so it is never nested.
  func during<Result>(_ cause: ActionCause, _ body: () -> Result) -> Result {
    switch cause {
    case .step(let step): note(step, isRestore: false)
    case .restore(let restore): note(restore, isRestore: true)
    }
    thread.store(ThreadKey.current.number, ordering: .relaxed)
    defer { thread.store(0, ordering: .relaxed) }
    return body()
  }

  private func note(_ number: UInt64, isRestore: Bool) {
    self.number.store(number, ordering: .relaxed)
    self.isRestore.store(isRestore, ordering: .relaxed)
  }

  /// The cause, if the calling thread is the one that hears of it.
  var onThisThread: ActionCause? {
    guard thread.load(ordering: .relaxed) == ThreadKey.current.number else { return nil }
    let number = number.load(ordering: .relaxed)
    return isRestore.load(ordering: .relaxed) ? .restore(number) : .step(number)
  }

  /// The same if that is a restore.
  var restoreOnThisThread: ActionCause? {
    guard case .restore(let restore)? = onThisThread else { return nil }
    return .restore(restore)
  }
}
