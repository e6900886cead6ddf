internal import SurfControl
internal import SurfNetwork
internal import SurfThreads
internal import SurfWire

/// Sees to it that nobody but the driver moves the app, if there is one (Protocol.md §11.9).
///
/// Requests come to it in the order in which they are decided, on one thread at a time.
final class WheelGuard: Sendable {
  /// A struct around the closure, for the reason that `ResetQueue` gives.
  private struct Teller: Sendable {
    let tell: @Sendable (Wheel.Change) -> Void
  }

  private let wheel: Monitor<Wheel>
  private let teller = Monitor<Teller?>(nil)

  init(_ wheel: Wheel) { self.wheel = Monitor(wheel) }

  /// Replaces the earlier handler.
  func setHandler(_ handler: @escaping @Sendable (Wheel.Change) -> Void) {
    teller.withLock { $0 = Teller(tell: handler) }
  }

  /// When `advance` must come; nil while nobody drives.
  var deadline: Duration? { wheel.withLock { $0.deadline } }

  func advance(to now: Duration) {
    if let change = wheel.withLock({ $0.advance(to: now) }) { tell([change]) }
  }

  /// The answer to what is not for the app; nil if the app is to decide.
  func decide(_ reset: IncomingReset, at now: Duration) -> Outcome.Result? {
    guard let request = Wheel.Request(reset) else { return nil }
    let viewer = WheelDriver(viewer: reset.viewer, name: reset.viewerName)
    let verdict = wheel.withLock { $0.receive(request, from: viewer, at: now) }
    // Before the answer, so that who has it finds all viewers told.
    tell(verdict.changes)
    if let obstacle = verdict.obstacle {
      return .rejected(reason: "\(obstacle.title) is driving")
    }
    return request == .move ? nil : .applied
  }

  private func tell(_ changes: [Wheel.Change]) {
    guard let teller = teller.withLock({ $0 }) else { return }
    changes.forEach(teller.tell)
  }
}

extension Wheel.Request {
  /// Octets beyond which a command is none of those that are looked for here.
  private static let sizeMax = 256

  /// Nil for what moves nothing.
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
    // The app says what is wrong with it.
    case .success, .failure: break
    }
  }
}
