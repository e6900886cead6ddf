internal import SurfControl
internal import SurfNetwork
internal import SurfThreads
internal import SurfWire

/// Refuses requests that would move the app while another viewer drives (Protocol.md §11.9).
///
/// `ResetQueue` passes requests one at a time, in the order it decides them.
final class WheelGuard: Sendable {
  /// A struct around the closure, for the reason that `ResetQueue.Decider` gives.
  private struct Handler: Sendable {
    let handle: @Sendable (Wheel.Change) -> Void
  }

  private let wheel: Monitor<Wheel>
  private let handler = Monitor<Handler?>(nil)

  init(_ wheel: Wheel) { self.wheel = Monitor(wheel) }

  func setHandler(_ handler: @escaping @Sendable (Wheel.Change) -> Void) {
    self.handler.withLock { $0 = Handler(handle: handler) }
  }

  /// When to call `advance`; nil while nobody drives.
  var deadline: Duration? { wheel.withLock { $0.deadline } }

  func advance(to now: Duration) {
    if let change = wheel.withLock({ $0.advance(to: now) }) { report([change]) }
  }

  /// The answer to a request that the app need not see; nil if the app decides.
  func decide(_ reset: IncomingReset, at now: Duration) -> Outcome.Result? {
    guard let request = Wheel.Request(reset) else { return nil }
    let viewer = WheelDriver(viewer: reset.viewer, name: reset.viewerName)
    let verdict = wheel.withLock { $0.receive(request, from: viewer, at: now) }
    // Before the answer, so that all viewers know when the asking viewer does.
    report(verdict.changes)
    if let obstacle = verdict.obstacle {
      return .rejected(reason: "\(obstacle.title) is driving")
    }
    return request == .move ? nil : .applied
  }

  private func report(_ changes: [Wheel.Change]) {
    guard let handler = handler.withLock({ $0 }) else { return }
    changes.forEach(handler.handle)
  }
}

extension Wheel.Request {
  /// Larger commands are not `drive` or `describe`, and are not parsed here.
  private static let sizeMax = 256

  /// Nil for a request that moves nothing.
  fileprivate init?(_ reset: IncomingReset) {
    self = .move
    guard reset.isCommand, let bytes = reset.state?.bytes, bytes.count <= Self.sizeMax else {
      return
    }
    switch Result(catching: { () throws(ControlError) in
      try HistoryCommand<UInt64>(parsing: bytes)
    }) {
    case .success(.drive(.take(let over))): self = .take(over: over)
    case .success(.drive(.giveBack)): self = .giveBack
    case .success(.describe): return nil
    // The app reports what is wrong with a command.
    case .success, .failure: break
    }
  }
}
