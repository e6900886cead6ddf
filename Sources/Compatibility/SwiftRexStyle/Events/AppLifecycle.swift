internal import Glibc
internal import SurfStore
internal import SurfThreads

/// Events in the life of a terminal program, under the names that apps with a screen have for them.
public enum AppLifecycleEvent: String, Hashable, Sendable, CaseIterable, Codable {
  /// Continued (SIGCONT).
  case willEnterForeground
  /// About to be stopped (SIGTSTP, which Ctrl-Z sends).
  case didEnterBackground
  /// About to be terminated (SIGTERM).
  case willTerminate
}

extension EventSource where Event == AppLifecycleEvent {
  /// All three events, from the first `sink` on. The process stops or ends when every listener has
  /// returned. A listener that never returns keeps it running.
  public static var appLifecycle: EventSource {
    EventSource { AppLifecycle.shared.listen($0) }
  }
}

/// The listeners of `EventSource.appLifecycle`. There is one object for all of them, because the
/// process must not stop before the last listener has returned.
private final class AppLifecycle: Sendable {
  static let shared = AppLifecycle()

  private struct Content: Sendable {
    var listeners: [Listener<AppLifecycleEvent>] = []
    var hasStarted = false
    /// Kept until the process ends.
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
