internal import Glibc
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

/// Runs a closure when a signal asks the program to end. Then the signal ends it as usual.
///
/// SIGKILL, a trap and a loss of power give no chance to run anything. If the program handles or
/// ignores a signal when the object is created, the object leaves that signal alone (`watched` does
/// not contain it). A handler that the program sets later takes the signal away from the object.
///
/// The closure runs on a thread of its own while all other threads go on, and not inside a signal
/// handler, so it may lock, allocate and write files. A second signal does not cut it short.
public final class TerminationWatch: Sendable {
  /// SIGTERM, which a service manager sends, and SIGINT, which Ctrl-C sends.
  public static let usualSignals: Set<Int32> = [SIGTERM, SIGINT]

  /// The signals that the object listens for.
  public let watched: Set<Int32>
  private let tokens: [Subscription]

  /// Calls `body` once, when the first of `signals` arrives.
  public init(signals: Set<Int32> = usualSignals, _ body: @escaping @Sendable () -> Void) {
    let hub = SignalHub.shared
    watched = signals.filter(hub.mayListen)
    tokens = watched.map { hub.listen(to: $0, then: .end, body) }
  }

  /// Stops listening. The signals end the program as before, unless something else listens.
  public func cancel() {
    for token in tokens { token.cancel() }
  }

  deinit { cancel() }
}
