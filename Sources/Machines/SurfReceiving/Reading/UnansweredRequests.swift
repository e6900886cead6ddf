import SurfTransport
import SurfWire

/// Whether an app answers requests at all (Protocol.md §10.4). Used for packets, uploads and
/// doubtful heartbeats.
///
/// An app silently drops requests whose cookie does not prove their address (§11.1). Behind a NAT,
/// that is the only sign that a viewer's address has changed. The viewer then says hello again, and
/// gets a cookie for its new address.
package struct UnansweredRequests: Sendable {
  /// What was awaited when an answer last arrived, and when that was.
  private var awaited: (oldest: SequenceNumber, arrivals: Int, since: Duration)?
  private var helloAt = Duration.zero
  private var wait = Timers.requestSilenceMin

  package init() {}

  /// Since when nothing has arrived.
  package var since: Duration? { awaited?.since }

  /// Notes that requests were sent, for nothing older than `oldest`.
  ///
  /// Giving packets up also changes which is the oldest, so only an arrival resets the wait.
  ///
  /// - Parameter arrivals: how many requested packets have arrived since the beginning.
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

  /// Whether nothing has arrived for longer than a repetition takes, and packets may still arrive.
  func lasts(at now: Duration) -> Bool {
    since.map { (Timers.nakRepeatMax..<Timers.expiry).contains(now - $0) } ?? false
  }

  package mutating func end() { awaited = nil }
}
