import SurfSockets
import SurfThreads
import SurfTimeline
import SurfTransport
import SurfWire

/// A catalog that an observer updates on its own thread, for `CommandRunner` and `statesurf surf`.
/// Its readers need not keep up with the records, and states are built only when somebody reads
/// them.
package final class LiveCatalog: Sendable {
  /// Sends requests to the apps, and counts traffic.
  package let observer: Observer
  private let catalog: Monitor<Catalog>
  /// Whether the observer is waiting. A lock is not fair, so a reader that returned immediately
  /// could keep the observer out forever.
  private let isAwaited: Monitor<Bool>

  /// - Parameter handler: Called on the observer's thread, one change at a time. Must return soon.
  /// - Throws: If the interface does not exist, or the sockets cannot be opened.
  package init(
    configuration: Observer.Configuration, handler: @escaping @Sendable (CatalogChange) -> Void
  ) throws(SocketError) {
    let (catalog, isAwaited) = (Monitor(Catalog()), Monitor(false))
    (self.catalog, self.isAwaited) = (catalog, isAwaited)
    // The closure must not retain the live catalog, which retains the observer.
    observer = try Observer(configuration: configuration) { event in
      if let change = LiveCatalog.apply(event, to: catalog, isAwaited) { handler(change) }
    }
  }

  private static func apply(
    _ event: ObserverEvent, to catalog: Monitor<Catalog>, _ isAwaited: Monitor<Bool>
  ) -> CatalogChange? {
    func apply(to catalog: inout Catalog) -> CatalogChange? {
      if case .appeared = event { catalog.now = monotonicNow() }
      return catalog.apply(event)
    }
    if let change = catalog.withLockIfFree({ apply(to: &$0) }) { return change }
    isAwaited.withLock { $0 = true }
    defer { isAwaited.withLock { $0 = false } }
    return catalog.withLock { apply(to: &$0) }
  }

  /// Puts the app into a state, as `Observer.reset` does. Sends only a delta if this viewer has the
  /// state of the target row, or the state that the app is in.
  package func reset(
    _ session: SessionID, to target: Position, state: Content?, fileName: String? = nil,
    timeout: Duration = Timers.resetTimeout,
    completion: @escaping @Sendable (ResetAnswer) -> Void
  ) {
    let base = read { $0[session]?.timeline.base(for: target) }
    observer.reset(
      session, to: target, state: state, from: base, fileName: fileName, timeout: timeout,
      completion: completion)
  }

  /// Requests rows again that were evicted, or have lost their contents. They are kept instead of
  /// those of the call before.
  package func refetch(_ rows: ClosedRange<SequenceNumber>, of session: SessionID) {
    change { $0.recall(rows, of: session) }
    observer.refetch(session, rows)
  }

  /// Changes what this viewer shows. No other viewer and no app notices. As with `read`, take
  /// milliseconds at most.
  package func change(_ body: (inout Catalog) -> Void) {
    isAwaited.wait { !$0 }
    catalog.withLock { body(&$0) }
  }

  /// Reads the catalog, which may be ahead of the changes that the handler has received.
  ///
  /// The observer waits meanwhile, and its socket may overflow. Take milliseconds at most.
  package func read<Result>(_ body: (Catalog) -> sending Result) -> sending Result {
    isAwaited.wait { !$0 }
    return catalog.withLock { body($0) }
  }
}

extension Timeline {
  /// The base for a delta: the state of the target row, or of the app's row, if either is here.
  fileprivate func base(for target: Position) -> ResetBase? {
    if case .record(let row) = target, hasState(of: row) { return .same(row) }
    guard case .record(let row) = position else { return nil }
    return state(of: row).map { .similar(row, $0) }
  }
}
