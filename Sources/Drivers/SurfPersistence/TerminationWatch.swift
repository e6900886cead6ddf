internal import Glibc
internal import SurfStore

/// Runs a closure when a signal asks the program to end. Then the signal ends it as usual.
///
/// SIGKILL, a trap and a loss of power give no chance to run anything. If the program handles or
/// ignores a signal when the object is created, the object leaves that signal alone (`watched` does
/// not contain it). A handler that the program sets later takes the signal away from the object.
///
/// The closure runs on the thread `surf-signals`, which all listeners share. All other threads
/// continue. It is not a signal handler, so it may lock, allocate and write files. A second signal
/// does not cut it short.
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
