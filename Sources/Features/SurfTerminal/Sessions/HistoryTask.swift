import SurfTimeline

/// What a command asks of a history that is loaded, a part at a time, so that a key or a signal can
/// end it.
protocol HistoryTask {
  /// Does the next part: some milliseconds.
  mutating func work(on instance: Instance) -> HistoryWork
}

/// What came of a part.
struct HistoryWork {
  var actions: [CommandAction] = []
  /// Nil while there is more to do.
  var exitCode: Int32?
  /// How many rows are still to be looked at.
  var leftCount = 0
}
