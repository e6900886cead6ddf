import SurfWire

/// Which viewer drives an app: a lease that expires (Protocol.md §11.9). `ResetQueue` in SurfLive
/// keeps it.
package struct Wheel: Equatable, Sendable {
  package enum Request: Equatable, Sendable {
    /// Take the wheel; `over`: even from another driver.
    case take(over: Bool)
    case giveBack
    /// Anything else that moves the app.
    case move
  }

  /// What the app reports to all viewers.
  package enum Change: Equatable, Sendable {
    case taken(by: WheelDriver, from: WheelDriver?)
    case givenBack(by: WheelDriver)
    case lapsed(WheelDriver)
  }

  package struct Verdict: Equatable, Sendable {
    /// The driver that blocks the request; nil if it is allowed.
    package var obstacle: WheelDriver?
    /// In order.
    package var changes: [Change]

    package init(obstacle: WheelDriver? = nil, changes: [Change] = []) {
      self.obstacle = obstacle
      self.changes = changes
    }
  }

  private struct Lease: Equatable {
    var driver: WheelDriver
    var end: Duration
  }

  private let term: Duration
  private var lease: Lease?

  /// - Parameter term: how long a lease lasts unless it is renewed.
  package init(term: Duration = Timers.wheelLease) { self.term = term }

  package var driver: WheelDriver? { lease?.driver }

  /// When `advance` must be called; nil while nobody drives.
  package var deadline: Duration? { lease?.end }

  /// - Returns: the change, if the lease has expired.
  package mutating func advance(to now: Duration) -> Change? {
    guard let lease, lease.end <= now else { return nil }
    self.lease = nil
    return .lapsed(lease.driver)
  }

  /// Decides about a request. A driver's request renews its lease, unless it gives the wheel back.
  package mutating func receive(
    _ request: Request, from viewer: WheelDriver, at now: Duration
  ) -> Verdict {
    var verdict = Verdict(changes: advance(to: now).map { [$0] } ?? [])
    let holder = lease?.driver
    switch (request, holder) {
    case (.take(let over), let other?) where other.viewer != viewer.viewer && !over:
      verdict.obstacle = other
    case (.take, _):
      if holder?.viewer != viewer.viewer {
        verdict.changes.append(.taken(by: viewer, from: holder))
      }
      lease = Lease(driver: viewer, end: now + term)
    case (.giveBack, let own?) where own.viewer == viewer.viewer:
      lease = nil
      verdict.changes.append(.givenBack(by: own))
    case (.move, let own?) where own.viewer == viewer.viewer: lease?.end = now + term
    case (.move, _): verdict.obstacle = holder
    case (.giveBack, _): break
    }
    return verdict
  }
}
