import SurfWire

/// When to introduce oneself: again and again until welcomed, then now and then to keep the cookie
/// fresh (Protocol.md §11.1).
struct HelloClock: Sendable {
  private(set) var due: Duration
  private(set) var cookie: Cookie?
  private var interval = Timers.helloRepeatMin

  init(at now: Duration) { due = now }

  /// There is a new question to ask; the cookie stays good.
  mutating func hasten(at now: Duration) { due = now }

  mutating func helloWasSent(at now: Duration) {
    due = now + interval
    interval = min(interval * 2, Timers.helloRepeatMax)
  }

  mutating func welcome(_ cookie: Cookie, at now: Duration) {
    self.cookie = cookie
    interval = Timers.helloRepeatMin
    due = now + Timers.helloRenewal
  }
}
