extension SwiftyState {
  /// Lets actions happen again.
  public func startEngine() { engine.setRunning(true) }

  /// Freezes the state: actions that are called from now on are recorded, but neither applied nor
  /// told to subscribers. To load a state, to undo and to redo still work.
  public func stopEngine() { engine.setRunning(false) }

  /// Collects what happens from now on. If nothing is collected yet, the first row says that it
  /// began.
  ///
  /// - Parameter rowCountMax: How many rows are kept; beyond that the oldest go.
  public func startDebug(rowCountMax: Int = 1_000) { engine.startDebug(rowCountMax: rowCountMax) }

  /// Collects nothing more; what was collected stays.
  public func stopDebug() { engine.stopDebug() }

  /// What was collected, the oldest first.
  public func getHistory() -> [SwiftyRow] { engine.rows }

  /// Calls `body` with each row from now on, collected or not, in order, on the thread that the
  /// engine is busy on. A viewer can be told in it.
  public func observe(_ body: @escaping @Sendable (SwiftyRow) -> Void) -> SwiftyObservation {
    SwiftyObservation(number: engine.observe(body), engine: engine)
  }

  /// Goes back to the state before the last change, if one is kept: the last 100 are. Subscribers
  /// are told; no row is added.
  public func undo() { engine.travel { $0.undo(from: $1) } }

  /// Takes an `undo()` back. A change in between leaves nothing to redo.
  public func redo() { engine.travel { $0.redo(from: $1) } }

  /// Puts the program into `state`, as a viewer's jump does: the validators are asked, subscribers
  /// are told, and no row is added.
  public func restore(_ state: some SwiftyStateStoreProtocol) throws(SwiftyStateError) {
    try engine.restore(state)
  }
}

/// Keeps a closure listening to what happens.
public struct SwiftyObservation: Sendable {
  let number: Int
  let engine: SwiftyEngine

  /// Stops the calls; a second `cancel()` is harmless.
  public func cancel() { engine.stopObserving(number) }
}
