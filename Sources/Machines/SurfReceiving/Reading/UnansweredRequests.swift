import SurfTransport
import SurfWire

/// Whether the app answers requests at all (Protocol.md §10.4).
///
/// An app silently drops requests whose cookie does not prove their address (§11.1). Only this
/// tells a viewer that its address has changed, which a NAT hides from it: it says hello again, for
/// a cookie that is good at the new address.
package struct UnansweredRequests: Sendable {
  /// What was awaited when something came last, and when that was.
  private var awaited: (oldest: SequenceNumber, arrivals: Int, since: Duration)?
  private var helloAt = Duration.zero
  private var wait = Timers.requestSilenceMin

  package init() {}

  /// The time since which nothing has come.
  package var since: Duration? { awaited?.since }

  /// Notes that requests have left, for nothing older than `oldest`.
  ///
  /// Giving packets up also changes which is the oldest: only an arrival makes the count start
  /// anew.
  ///
  /// - Parameter arrivals: how many of the requested packets have come since the beginning.
  /// - Returns: whether to say hello.
  package mutating func asked(oldest: SequenceNumber, arrivals: Int, at now: Duration) -> Bool {
    guard let awaited, awaited.oldest == oldest || awaited.arrivals == arrivals else {
      awaited = (oldest, arrivals, now)
      helloAt = now
      wait = Timers.requestSilenceMin
      return false
    }
    guard now - helloAt >= wait else { return false }
    helloAt = now
    wait = min(wait * 2, Timers.requestSilenceMax)
    return true
  }

  /// Whether nothing has come for longer than a repetition takes, and may still come.
  func lasts(at now: Duration) -> Bool {
    since.map { (Timers.nakRepeatMax..<Timers.expiry).contains(now - $0) } ?? false
  }

  /// Nothing is awaited any more.
  package mutating func end() { awaited = nil }
}
