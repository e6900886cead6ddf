public import FoundationEssentials
public import SurfPersistence

extension SwiftyState {
  /// Writes the state to `SwiftyState.json`, on this thread. The file is in the program's folder,
  /// in `$XDG_STATE_HOME` or else in `~/.local/state`.
  public func save() throws(SwiftyStateError) { try engine.save() }

  /// Makes what was saved the state; the subscribers are told, even if it is equal. A state to
  /// which a validator objects, or a file that holds no such state, changes nothing.
  public func load() throws(SwiftyStateError) {
    guard let state = engine.state else { throw .noStore }
    try engine.load(saved(like: state), by: "load")
  }

  /// Deletes what was saved; call it before `load()`.
  public func resetSavedState() throws(SwiftyStateError) {
    do throws(PersistenceError) {
      try engine.persistence.remove()
    } catch {
      throw .file(error)
    }
  }

  /// Loads what was saved, if anything was, and saves when a signal ends the program.
  ///
  /// - Parameter onFailure: Is told, on a thread of Dispatch, when the state could not be saved.
  /// - Returns: What listens for the signals, within limits that it names; keep it.
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

  /// The state as JSON that people can read, in UTF-8.
  public func toData() throws(SwiftyStateError) -> Data {
    guard let state = engine.state else { throw .noStore }
    return try state.toData()
  }

  /// The state as JSON that people can read.
  public func toJSON() throws(SwiftyStateError) -> String {
    guard let state = engine.state else { throw .noStore }
    return try state.toJSON()
  }

  /// The state that `json` describes, which does not become the program's.
  public func fromJSON(
    _ json: String
  ) throws(SwiftyStateError) -> any SwiftyStateStoreProtocol {
    guard let state = engine.state else { throw .noStore }
    return try state.fromJSON(json)
  }

  /// Makes the state that `json` describes the program's, as `load()` does.
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
