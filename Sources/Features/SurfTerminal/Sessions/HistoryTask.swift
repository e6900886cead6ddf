import SurfTimeline

/// A command that works on a whole history.
package protocol HistoryQuestion: SessionCommand {
  func task(_ layout: Layout) -> any HistoryTask
}

extension HistoryQuestion {
  package func session(on stage: Stage) -> any CommandSession {
    HistorySession(task(stage.layout), stage.common)
  }
}

/// What a command asks of a history that is loaded, a part at a time, so that a key or a signal can
/// end it.
package protocol HistoryTask {
  /// Does the next part: some milliseconds.
  mutating func work(on instance: Instance) -> HistoryWork
}

/// What came of a part.
package struct HistoryWork {
  var actions: [CommandAction] = []
  /// Nil while there is more to do.
  var exitCode: Int32?
  /// How many rows are still to be looked at.
  var leftCount = 0
}
