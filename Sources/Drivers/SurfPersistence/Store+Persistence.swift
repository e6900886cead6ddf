public import SurfStore

extension Store where State: Codable {
  /// Saves the state after the latest step or restore, on this thread.
  public func save(to persistence: Persistence) throws(PersistenceError) {
    try persistence.save(state)
  }

  /// Restores the state that was saved last, if the validators let it pass.
  ///
  /// As after `restore(_:completion:)`, the state is in place when this returns if the store was
  /// idle.
  public func load(from persistence: Persistence) throws(PersistenceError) {
    let state = try persistence.load(State.self)
    if let objection = validators.objection(to: state) {
      throw .rejected(path: persistence.path, objection)
    }
    restore(state)
  }

  /// Loads what was saved, if anything was, and saves the state when a signal ends the program.
  ///
  /// - Parameter onFailure: Is told, on a thread of Dispatch, when the state could not be saved.
  /// - Returns: What listens for the signals; keep it.
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
