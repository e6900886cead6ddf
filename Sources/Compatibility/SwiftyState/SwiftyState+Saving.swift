public import FoundationEssentials
public import SurfPersistence

extension SwiftyState {
  /// Writes the state to `SwiftyState.json`, on this thread. The file is in the program's folder,
  /// in `$XDG_STATE_HOME` or else in `~/.local/state`.
  public func save() throws(SwiftyStateError) { try engine.save() }

  /// Replaces the state by the saved one, and calls the subscribers even if it is equal. Throws,
  /// and changes nothing, if a validator objects or the file does not contain such a state.
  public func load() throws(SwiftyStateError) {
    guard let state = engine.state else { throw .noStore }
    try engine.load(saved(like: state), by: "load")
  }

  /// Deletes the saved state. Call it before `load()`.
  public func resetSavedState() throws(SwiftyStateError) {
    do throws(PersistenceError) {
      try engine.persistence.remove()
    } catch {
      throw .file(error)
    }
  }

  /// Loads the saved state, if there is one, and saves when a signal ends the program.
  ///
  /// - Parameter onFailure: Called on the thread that saves, if the state cannot be saved.
  /// - Returns: The watch for the signals, whose documentation has its limits. Keep it.
  public func persist(
    signals: Set<Int32> = TerminationWatch.usualSignals,
    onFailure: @escaping @Sendable (SwiftyStateError) -> Void = { _ in }
  ) throws(SwiftyStateError) -> TerminationWatch {
    do {
      try load()
    } catch .file(.nothingSaved) {
      // The first launch.
    }
    return TerminationWatch(signals: signals) { [engine] in
      do throws(SwiftyStateError) {
        try engine.save()
      } catch {
        onFailure(error)
      }
    }
  }

  /// The state as indented JSON in UTF-8.
  public func toData() throws(SwiftyStateError) -> Data {
    guard let state = engine.state else { throw .noStore }
    return try state.toData()
  }

  /// The state as indented JSON.
  public func toJSON() throws(SwiftyStateError) -> String {
    guard let state = engine.state else { throw .noStore }
    return try state.toJSON()
  }

  /// Decodes a state from `json`, and leaves the program's state alone.
  public func fromJSON(
    _ json: String
  ) throws(SwiftyStateError) -> any SwiftyStateStoreProtocol {
    guard let state = engine.state else { throw .noStore }
    return try state.fromJSON(json)
  }

  /// Replaces the program's state by the one in `json`, as `load()` does.
  public func loadJSON(_ json: String) throws(SwiftyStateError) {
    try engine.load(fromJSON(json), by: "loadJSON")
  }

  private func saved(
    like state: some SwiftyStateStoreProtocol
  ) throws(SwiftyStateError) -> any SwiftyStateStoreProtocol {
    do throws(PersistenceError) {
      return try engine.persistence.load(type(of: state))
    } catch {
      throw .file(error)
    }
  }
}
