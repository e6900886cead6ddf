internal import SurfControl
internal import SurfThreads

/// Runs a viewer's request as a task, while a thread of ours waits for it.
final class CommandTask: Sendable {
  private enum Phase { case waiting, begun, givenUp, done }

  /// That of the task, and of those that the program starts in it.
  @TaskLocal static var current: CommandTask?

  private let phase = Monitor(Phase.waiting)

  private init() {}

  /// Called where the program has its state, before anything is done to it. False if the viewer has
  /// been told that nothing comes of its request.
  func begin() -> Bool {
    phase.withLock { phase in
      if phase == .waiting { phase = .begun }
      return phase != .givenUp
    }
  }

  /// Returns when `body` has. After `patience` it cancels the task, and still waits for it: no
  /// viewer may hear of an end before that.
  ///
  /// If the actor of `pulse` runs nothing, and the work has not begun, there is no such end to wait
  /// for: then the request is given up, and the reason is returned.
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

  /// Waits until the work has begun. True if it never will, because the actor is blocked.
  private func isInVain(
    _ task: Task<Void, Never>, on pulse: ActorPulse, patience end: Duration
  ) -> Bool {
    var next = monotonicTime(after: ActorPulse.patience)
    while !phase.wait(until: next, for: { $0 != .waiting }) {
      let now = monotonicNow()
      if let silence = pulse.patienceEnd, silence <= now { return giveUp() }
      if now >= end { task.cancel() }
      // It may be blocked since.
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
