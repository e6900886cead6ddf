public import SurfStore

extension Store where State: Codable {
  /// Saves the state after the latest step or restore, on the caller's thread.
  public func save(to persistence: Persistence) throws(PersistenceError) {
    try persistence.save(state)
  }

  /// Loads the state that was saved last and restores it, unless a validator rejects it.
  ///
  /// If the store is idle, the state is in place when this returns, as with
  /// `restore(_:completion:)`.
  public func load(from persistence: Persistence) throws(PersistenceError) {
    let state = try persistence.load(State.self)
    if let objection = validators.objection(to: state) {
      throw .rejected(path: persistence.path, objection)
    }
    restore(state)
  }

  /// Loads the saved state, if there is one, and saves the state when a signal ends the program.
  ///
  /// - Parameter onFailure: Called on the thread that saves, if the state could not be saved.
  /// - Returns: The object that listens for the signals. Keep it: it stops listening when released.
  public func persist(
    in persistence: Persistence, signals: Set<Int32> = TerminationWatch.usualSignals,
    onFailure: @escaping @Sendable (PersistenceError) -> Void = { _ in }
  ) throws(PersistenceError) -> TerminationWatch {
    do {
      try load(from: persistence)
    } catch .nothingSaved {
      // The first launch.
    }
    return TerminationWatch(signals: signals) { [weak self] in
      do throws(PersistenceError) {
        try self?.save(to: persistence)
      } catch {
        onFailure(error)
      }
    }
  }
}
