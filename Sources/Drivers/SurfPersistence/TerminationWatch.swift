internal import Dispatch
internal import Glibc

/// Runs a closure when a signal asks the program to end; then the signal ends it as it would have.
///
/// Its limits: SIGKILL, a trap and a loss of power give no chance to save. A signal for which the
/// program has a handler, or which it ignores, is left to the program (`watched` leaves it out). A
/// handler that the program sets later takes the signal from this object.
///
/// The closure runs on a thread of Dispatch, while all other threads go on, and not inside a signal
/// handler: so it may lock, allocate and write files. A second signal does not cut it short.
public final class TerminationWatch: Sendable {
  /// SIGTERM, which a service manager sends, and SIGINT, which Ctrl-C sends.
  public static let usualSignals: Set<Int32> = [SIGTERM, SIGINT]

  /// The signals that this object listens for.
  public let watched: Set<Int32>
  // Unsafe: Dispatch does not say so, but any thread may cancel a source.
  nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

  /// Calls `body` once, for the first of `signals` that comes.
  public init(signals: Set<Int32> = usualSignals, _ body: @escaping @Sendable () -> Void) {
    watched = signals.filter(Self.isDefault)
    // One after another, so that a second signal waits until the first has ended the program.
    let queue = DispatchQueue(label: "surf-termination")
    sources = watched.map { signal in
      let source = DispatchSource.makeSignalSource(signal: signal, queue: queue)
      source.setEventHandler {
        body()
        Self.end(by: signal)
      }
      source.activate()
      return source
    }
  }

  /// Listens no longer; the signals end the program again.
  public func cancel() {
    for source in sources { source.cancel() }
    for signal in watched { Glibc.signal(signal, SIG_DFL) }
  }

  deinit { cancel() }

  /// Whether the program leaves this signal to the system.
  private static func isDefault(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    return action.__sigaction_handler.sa_handler == nil
  }

  /// The shell, or the service manager, sees that it was the signal.
  private static func end(by signal: Int32) {
    Glibc.signal(signal, SIG_DFL)
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, signal)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    raise(signal)
  }
}
