import SurfNetwork
import SurfThreads
import SurfTimeline
import SurfTransport
import SurfWire

/// A catalog that an observer keeps up to date on its own thread. No caller has to take records as
/// fast as they come, and a state is made only when a caller looks at it.
package final class LiveCatalog: Sendable {
  /// The way to the apps, and what was counted.
  package let observer: Observer
  private let shared: SharedCatalog

  /// - Parameter handler: called on the observer's thread, one change at a time; must return soon.
  /// - Throws: If the interface does not exist, or the sockets cannot be opened.
  package init(
    configuration: Observer.Configuration, bounds: Catalog.Bounds = Catalog.Bounds(),
    handler: @escaping @Sendable (CatalogChange) -> Void
  ) throws(NetworkError) {
    let shared = SharedCatalog(Catalog(bounds: bounds))
    self.shared = shared
    observer = try Observer(configuration: configuration) { event in
      if let change = shared.apply(event) { handler(change) }
    }
  }

  /// Puts the app into a state, as the observer does. Only what differs travels, if the row of the
  /// target has that state, or the state of the row where the app is is known.
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

  /// Takes a row of this viewer out of sight; no other viewer and no app hears of it.
  package func hide(_ row: SequenceNumber, of session: SessionID) {
    shared.change { $0.hide(row, of: session) }
  }

  /// Brings back the rows that `hide` took away.
  package func showHidden(of session: SessionID) { shared.change { $0.showHidden(of: session) } }

  /// Looks at what is known by now, which may be more than the handler was told.
  ///
  /// The observer waits meanwhile, and packets that overflow its socket until then are lost: look
  /// for milliseconds.
  package func read<Result>(_ body: (Catalog) -> sending Result) -> sending Result {
    shared.read(body)
  }
}

extension Timeline {
  /// A state likely to resemble the app's next state: that of the target row, or of the row where
  /// the app is; nil if neither is here.
  fileprivate func base(for target: Position) -> ResetBase? {
    if case .record(let row) = target, hasState(of: row) { return .same(row) }
    guard case .record(let row) = position else { return nil }
    return state(of: row).map { .similar(row, $0) }
  }
}

/// Holds the catalog between the thread that fills it and the threads that look.
private final class SharedCatalog: Sendable {
  private let catalog: Monitor<Catalog>
  /// Whether the observer waits. A reader that comes again at once would shut it out: a lock is not
  /// fair.
  private let isAwaited = Monitor(false)

  init(_ catalog: consuming sending Catalog) { self.catalog = Monitor(catalog) }

  func apply(_ event: ObserverEvent) -> CatalogChange? {
    if let change = catalog.withLockIfFree({ $0.apply(event) }) { return change }
    isAwaited.withLock { $0 = true }
    defer { isAwaited.withLock { $0 = false } }
    return catalog.withLock { $0.apply(event) }
  }

  func change(_ body: (inout Catalog) -> Void) {
    isAwaited.wait { !$0 }
    catalog.withLock { body(&$0) }
  }

  func read<Result>(_ body: (Catalog) -> sending Result) -> sending Result {
    isAwaited.wait { !$0 }
    return catalog.withLock { body($0) }
  }
}
