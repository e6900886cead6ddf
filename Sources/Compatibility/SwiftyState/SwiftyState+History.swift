extension SwiftyState {
  /// Resumes after `stopEngine()`.
  public func startEngine() { engine.setRunning(true) }

  /// Freezes the state: from now on actions are recorded, but not applied. `load()`, `undo()` and
  /// `redo()` still work.
  public func stopEngine() { engine.setRunning(false) }

  /// Keeps rows from now on. If there are none yet, the first row marks the start.
  ///
  /// - Parameter rowCountMax: The number of rows to keep. Beyond it, the oldest are evicted.
  public func startDebug(rowCountMax: Int = 1_000) { engine.startDebug(rowCountMax: rowCountMax) }

  /// Stops keeping new rows. The old ones stay.
  public func stopDebug() { engine.stopDebug() }

  /// The kept rows, oldest first.
  public func getHistory() -> [SwiftyRow] { engine.rows }

  /// Calls `body` with each row from now on, kept or not, in order, on the thread that the engine
  /// is busy on. A viewer can record the row there.
  public func observe(_ body: @escaping @Sendable (SwiftyRow) -> Void) -> SwiftyObservation {
    SwiftyObservation(number: engine.observe(body), engine: engine)
  }

  /// Goes back to the state before the last change. The last 100 states are kept. This calls the
  /// subscribers, and adds no row.
  public func undo() { engine.travel { $0.undo(from: $1) } }

  /// Reverts the last `undo()`. After another change there is nothing to redo.
  public func redo() { engine.travel { $0.redo(from: $1) } }

  /// Puts the program into `state`, for a viewer's jump. This asks the validators, calls the
  /// subscribers, and adds no row.
  public func restore(_ state: some SwiftyStateStoreProtocol) throws(SwiftyStateError) {
    try engine.restore(state)
  }
}

/// Cancels an observation of rows. The engine keeps the closure until then, even without this.
public struct SwiftyObservation: Sendable {
  let number: Int
  let engine: SwiftyEngine

  /// Stops the calls. A second call has no effect.
  public func cancel() { engine.stopObserving(number) }
}
