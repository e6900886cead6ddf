import SurfTransport
import SurfWire

/// Whether what is asked for comes at all (Protocol.md §10.4).
///
/// An app drops requests whose cookie does not prove the address that they come from, and says
/// nothing (§11.1). A viewer whose address has changed, unknown to itself behind a NAT, learns of
/// it by this alone: it says hello again, for a cookie that is good where it is now.
package struct Standstill: Sendable {
  /// What was awaited when something came last, and when that was.
  private var awaited: (oldest: SequenceNumber, arrivals: Int, since: Duration)?
  private var helloAt = Duration.zero
  private var wait = Timers.requestSilenceMin

  package init() {}

  /// Since when nothing has come.
  package var since: Duration? { awaited?.since }

  /// Notes that requests have left, for nothing older than `oldest`.
  ///
  /// What is given up changes what is oldest too: it takes something that came to start anew.
  ///
  /// - Parameter arrivals: how much has come of what was asked for since the beginning.
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

  /// Whether nothing has come for longer than a repetition takes, and may come yet.
  func lasts(at now: Duration) -> Bool {
    since.map { (Timers.nakRepeatMax..<Timers.expiry).contains(now - $0) } ?? false
  }

  /// Nothing is awaited any more.
  package mutating func end() { awaited = nil }
}
