import SurfWire

/// How far a stream reaches, as datagrams have claimed.
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
