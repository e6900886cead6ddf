import Glibc

/// A thread that nobody joins.
enum DetachedThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a thread of its own, where no signal of the app arrives.
  static func start(_ body: @escaping @Sendable () -> Void) throws(DiscoveryError) {
    let retained = Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    let code = SignalMask.blocked {
      pthread_create(
        &thread, nil,
        { context in
          if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
          return nil
        }, retained.toOpaque())
    }
    guard code == 0 else {
      retained.release()
      throw .noThread(errno: code)
    }
    pthread_detach(thread)
  }
}
