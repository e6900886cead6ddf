internal import Glibc
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

/// Runs a closure when a signal asks the program to end; then the signal ends it as it would have.
///
/// Its limits: SIGKILL, a trap and a loss of power give no chance to save. A signal for which the
/// program has a handler, or which it ignores, is left to the program (`watched` leaves it out). A
/// handler that the program sets later takes the signal from this object.
///
/// The closure runs on a thread of its own, while all other threads go on, and not inside a signal
/// handler: so it may lock, allocate and write files. A second signal does not cut it short.
public final class TerminationWatch: Sendable {
  /// SIGTERM, which a service manager sends, and SIGINT, which Ctrl-C sends.
  public static let usualSignals: Set<Int32> = [SIGTERM, SIGINT]

  /// The signals that this object listens for.
  public let watched: Set<Int32>
  private let tokens: [Subscription]

  /// Calls `body` once, for the first of `signals` that comes.
  public init(signals: Set<Int32> = usualSignals, _ body: @escaping @Sendable () -> Void) {
    let hub = SignalHub.shared
    watched = signals.filter(hub.mayListen)
    tokens = watched.map { hub.listen(to: $0, then: .end, body) }
  }

  /// Listens no longer; the signals end the program again, unless somebody else listens.
  public func cancel() {
    for token in tokens { token.cancel() }
  }

  deinit { cancel() }
}
