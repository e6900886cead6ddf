internal import Glibc
internal import SurfStore

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
