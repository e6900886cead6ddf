import SurfWire

/// How far a stream is, as a datagram has claimed.
struct ClaimedProgress: Equatable, Sendable {
  var newestPacket: SequenceNumber
  var oldestPacket: SequenceNumber
  var newestRecord: SequenceNumber

  /// Whether it cannot be true if `progress` is, and came later: none of the three ever goes back.
  func isContradicted(by progress: StreamProgress) -> Bool {
    newestPacket > progress.newestPacket || oldestPacket > progress.oldestPacket
      || newestRecord > progress.newestRecord
  }
}

/// Checks what a viewer believes of a stream against the app's own word (Protocol.md §10.8).
///
/// Any host can send a heartbeat or a packet under the app's address, and a number far too large
/// would blind the viewer: all below it would be over. Only the endpoint that received a hello can
/// answer it. A belief from before the hello that exceeds the answer was never the app's word.
struct ClaimCheck: Sendable {
  /// The beliefs when the viewer sent the first hello that the next welcome may answer.
  private var believed: (claims: ClaimedProgress, nextRecord: SequenceNumber)?
  /// The record after the last one that the app has confirmed.
  private(set) var confirmedRecord: SequenceNumber?
  /// A welcome may have been overtaken: the second one counts.
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

  /// A heartbeat that was overtaken says less than the viewer believes, and so does the app after a
  /// forged one: returns whether to ask the app.
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
