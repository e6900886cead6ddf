internal import Dispatch

/// Work in a task that a thread of ours waits for.
enum Errand {
  /// Returns when `body` has. After `patience` its task is cancelled, and still waited for: nobody
  /// may be told of an end before it.
  static func run(patience: Duration, _ body: @escaping @Sendable () async -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    // Unstructured because the caller is no task.
    let task = Task {
      await body()
      isDone.signal()
    }
    let milliseconds = Int(patience / .milliseconds(1))
    guard isDone.wait(timeout: .now() + .milliseconds(milliseconds)) == .timedOut else { return }
    task.cancel()
    isDone.wait()
  }
}
