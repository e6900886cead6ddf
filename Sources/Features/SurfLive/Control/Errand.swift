internal import SurfThreads

/// Work in a task that a thread of ours waits for.
enum Errand {
  /// Returns when `body` has. After `patience` it cancels the task, and still waits for it: no
  /// viewer may hear of an end before that.
  static func run(patience: Duration, _ body: @escaping @Sendable () async -> Void) {
    let isDone = Monitor(false)
    // Unstructured because the caller is not a task.
    let task = Task {
      await body()
      isDone.withLock { $0 = true }
    }
    if isDone.wait(until: monotonicTime(after: patience), for: { $0 }) { return }
    task.cancel()
    isDone.wait { $0 }
  }
}
