internal import Glibc
internal import SurfStore
internal import SurfThreads

/// What happens to a program in its terminal, in the words of apps on a screen.
public enum AppLifecycleEvent: String, Hashable, Sendable, CaseIterable, Codable {
  /// Continued (SIGCONT).
  case willEnterForeground
  /// About to be stopped (SIGTSTP, as Ctrl-Z sends it).
  case didEnterBackground
  /// About to be ended (SIGTERM).
  case willTerminate
}

extension EventSource where Event == AppLifecycleEvent {
  /// The three, from the first `sink` on. The process is stopped, or ended by the signal, when
  /// every listener has returned: a listener that never does keeps it running.
  public static var appLifecycle: EventSource {
    EventSource { AppLifecycle.shared.listen($0) }
  }
}

/// The listeners to this process's life. One object for all: the process must not be stopped
/// before the last listener has heard of it.
private final class AppLifecycle: Sendable {
  static let shared = AppLifecycle()

  private struct Content: Sendable {
    var listeners: [Listener<AppLifecycleEvent>] = []
    var hasStarted = false
    /// Kept for as long as the process runs.
    var tokens: [Subscription] = []
  }

  private let content = Monitor(Content())

  func listen(_ receive: @escaping @Sendable (AppLifecycleEvent) -> Void) -> Subscription {
    let listener = Listener(receive)
    let isFirst = content.withLock { content in
      content.listeners.append(listener)
      defer { content.hasStarted = true }
      return !content.hasStarted
    }
    if isFirst { start() }
    return Subscription { [weak listener] in
      guard let listener else { return }
      listener.cancel()
      AppLifecycle.shared.content.withLock { $0.listeners.removeAll { $0 === listener } }
    }
  }

  private func start() {
    let hub = SignalHub.shared
    let tokens = [
      hub.listen(to: SIGTSTP, then: .stop) { [self] in tell(.didEnterBackground) },
      hub.listen(to: SIGCONT) { [self] in tell(.willEnterForeground) },
      hub.listen(to: SIGTERM, then: .end) { [self] in tell(.willTerminate) },
    ]
    content.withLock { $0.tokens = tokens }
  }

  private func tell(_ event: AppLifecycleEvent) {
    for listener in content.withLock({ $0.listeners }) { listener(event) }
  }
}
