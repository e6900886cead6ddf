import SurfTransport
import SurfWire

/// How far a stream reaches, as datagrams have claimed, which any host can forge. `ClaimCheck`
/// compares it with the app's own word.
struct ClaimedProgress: Equatable, Sendable {
  var newestPacket: SequenceNumber
  var oldestPacket: SequenceNumber
  var newestRecord: SequenceNumber

  /// Whether a later `progress` proves this false: none of the three numbers ever decreases.
  func isContradicted(by progress: StreamProgress) -> Bool {
    newestPacket > progress.newestPacket || oldestPacket > progress.oldestPacket
      || newestRecord > progress.newestRecord
  }
}

/// Checks what a `Receiver` believes of a stream against the app's own word (Protocol.md §10.8).
///
/// Any host can forge a heartbeat or a packet under the app's address. A number that is far too
/// large would blind the viewer, which ignores everything below. Only the endpoint that received a
/// hello can answer it, so a belief from before the hello that exceeds the answer is false.
struct ClaimCheck: Sendable {
  /// The beliefs when the viewer sent the first hello that the next welcome may answer.
  private var believed: (claims: ClaimedProgress, nextRecord: SequenceNumber)?
  /// The record after the last one that the app has confirmed.
  private(set) var confirmedRecord: SequenceNumber?
  /// The first contradiction may be a reordered welcome, so the second one counts.
  private var isInDoubt = false
  private var contradictions = UnansweredRequests()

  enum Verdict { case agrees, doubtful, contradicts }

  mutating func helloIsSent(_ claims: ClaimedProgress?, nextRecord: SequenceNumber?) {
    guard believed == nil, let claims, let nextRecord else { return }
    believed = (claims, nextRecord)
  }

  mutating func judge(_ welcome: Welcome) -> Verdict {
    guard let (claims, nextRecord) = believed else { return .agrees }
    believed = nil
    guard claims.isContradicted(by: welcome.progress) else {
      (isInDoubt, confirmedRecord) = (false, nextRecord)
      return .agrees
    }
    isInDoubt.toggle()
    return isInDoubt ? .doubtful : .contradicts
  }

  /// Returns whether to ask the app, because the heartbeat claims less than the viewer believes.
  /// Either the heartbeat was overtaken, or an earlier one was forged.
  mutating func shouldAsk(_ claims: ClaimedProgress, _ progress: StreamProgress, at now: Duration)
    -> Bool
  {
    claims.isContradicted(by: progress) && contradictions.asked(oldest: 1, arrivals: 1, at: now)
  }
}

extension SessionReader {
  /// What the viewer believes of the stream.
  var claims: ClaimedProgress {
    ClaimedProgress(
      newestPacket: newestPacket, oldestPacket: extent.edge, newestRecord: newestRecord)
  }
}

/// Whether an app answers requests at all (Protocol.md §10.4). Used for packets, uploads and
/// doubtful heartbeats.
///
/// An app silently drops requests whose cookie does not prove their address (§11.1). Behind a NAT,
/// that is the only sign that a viewer's address has changed. The viewer then says hello again, and
/// gets a cookie for its new address.
package struct UnansweredRequests: Sendable {
  /// The packets that were awaited when the last answer arrived, and when that was.
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
