import SurfTransport
import SurfWire

/// When to say hello: again and again until welcomed, then now and then to keep the cookie fresh
/// (Protocol.md §11.1).
struct HelloClock: Sendable {
  private(set) var due: Duration
  private(set) var cookie: Cookie?
  /// How long a hello and its answer took; nil if that is unknown.
  private(set) var roundTrip: Duration?
  private var interval = Timers.helloRepeatMin
  /// When the only hello that the next welcome can answer was sent.
  private var askedAt: Duration?
  private var unansweredCount = 0
  /// When the first hello since the last welcome was sent.
  private(set) var unansweredSince: Duration?

  init(at now: Duration) { due = now }

  /// There is a new question to ask; the cookie stays good.
  mutating func hasten(at now: Duration) { due = now }

  mutating func helloWasSent(at now: Duration) {
    unansweredCount += 1
    unansweredSince = unansweredSince ?? now
    // With two hellos under way, either may have been answered.
    askedAt = unansweredCount == 1 ? now : nil
    due = now + interval
    interval = min(interval * 2, Timers.helloRepeatMax)
  }

  /// - Parameter isAnswer: whether it answers the present question, and not an earlier one.
  mutating func welcome(_ cookie: Cookie, isAnswer: Bool, at now: Duration) {
    self.cookie = cookie
    guard isAnswer else { return }
    if let askedAt { roundTrip = now - askedAt }
    (unansweredCount, unansweredSince) = (0, nil)
    askedAt = nil
    interval = Timers.helloRepeatMin
    due = now + Timers.helloRenewal
  }
}
