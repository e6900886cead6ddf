import SurfTransport
import SurfWire

/// When a `Receiver` says hello: repeatedly until a welcome, then at intervals that keep the cookie
/// fresh (Protocol.md §11.1).
struct HelloClock: Sendable {
  private(set) var due: Duration
  private(set) var cookie: Cookie?
  /// The time from a hello to its answer; nil if unknown.
  private(set) var roundTrip: Duration?
  private var interval = Timers.helloRepeatMin
  /// When the hello was sent that the next welcome answers; nil if there are several.
  private var askedAt: Duration?
  private var unansweredCount = 0
  /// When the first hello since the last welcome was sent.
  private(set) var unansweredSince: Duration?

  init(at now: Duration) { due = now }

  /// Says hello at once, with a new question. The cookie stays valid.
  mutating func hasten(at now: Duration) { due = now }

  mutating func helloWasSent(at now: Duration) {
    unansweredCount += 1
    unansweredSince = unansweredSince ?? now
    // With two hellos in flight, the welcome may answer either.
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
