internal import SurfControl
internal import SurfThreads

/// Runs a viewer's request as a task while a thread of StateSurf waits for it. `onReset` handlers
/// and `StoreObserver` use it.
package final class CommandTask: Sendable {
  private enum Phase { case waiting, begun, givenUp, done }

  /// The request that the current task works on, including tasks that the program starts in it.
  @TaskLocal static var current: CommandTask?

  private let phase = Monitor(Phase.waiting)

  private init() {}

  /// Called where the program has its state, before it changes anything. False if the request has
  /// been given up, and the viewer knows.
  package func begin() -> Bool {
    phase.withLock { phase in
      if phase == .waiting { phase = .begun }
      return phase != .givenUp
    }
  }

  /// Returns when `body` has. After `patience` it cancels the task, and still waits for it: no
  /// viewer may hear that a request is over before it is.
  ///
  /// If the actor of `pulse` runs nothing and the work has not begun, the wait could last forever.
  /// Then this gives the request up, and returns the reason.
  static func run(
    patience: Duration, on pulse: ActorPulse? = nil,
    _ body: @escaping @Sendable (CommandTask) async -> Void
  ) -> RefusedCommand? {
    let command = CommandTask()
    let end = monotonicTime(after: patience)
    pulse?.ask()
    if let pulse, let silence = pulse.patienceEnd, silence <= monotonicNow() {
      return pulse.obstacle
    }
    // Unstructured because the caller is not a task.
    let task = Task {
      await $current.withValue(command) { await body(command) }
      command.phase.withLock { $0 = .done }
    }
    if let pulse, command.isInVain(task, on: pulse, patience: end) {
      task.cancel()
      return pulse.obstacle
    }
    if command.phase.wait(until: end, for: { $0 == .done }) { return nil }
    task.cancel()
    command.phase.wait { $0 == .done }
    return nil
  }

  /// Waits until the work begins. True if it gave up, because the actor is blocked.
  private func isInVain(
    _ task: Task<Void, Never>, on pulse: ActorPulse, patience end: Duration
  ) -> Bool {
    var next = monotonicTime(after: ActorPulse.patience)
    while !phase.wait(until: next, for: { $0 != .waiting }) {
      let now = monotonicNow()
      if let silence = pulse.patienceEnd, silence <= now { return giveUp() }
      if now >= end { task.cancel() }
      // The actor may have been blocked since.
      pulse.ask()
      next = pulse.patienceEnd ?? now + ActorPulse.patience
    }
    return false
  }

  private func giveUp() -> Bool {
    phase.withLock { phase in
      if phase == .waiting { phase = .givenUp }
      return phase == .givenUp
    }
  }
}
