import SurfBasics
import SurfTransport
import SurfWire

/// The viewer's side of one reset: sends a state to an app piece by piece until the app reports the
/// outcome (Protocol.md §11.3).
///
/// It waits for a cookie, without which the app would not listen.
package struct ResetUpload: Sendable {
  private let template: Reset
  private let session: SessionID
  private let state: Content?
  private let giveUpAt: Duration
  private var pieces: UploadPieces
  /// When silence means that something was lost.
  private var repeatAt: Duration
  private var interval = Timers.resetRepeatMin
  /// When something new was heard; at first, when the upload began.
  private var newsAt: Duration
  private var hasStarted = false

  package private(set) var answer: ResetAnswer?
  /// Whether the app has said that all of it is there.
  package private(set) var isWhole = false
  /// The app's digest of the state that it is in now.
  package private(set) var digest: Digest?

  /// - Parameter state: the state to send: nil or empty for the app's initial state.
  package init(
    session: SessionID, viewer: ViewerID, viewerName: String, request: UInt64, target: Position,
    state: Content?, form: Reset.Form = .state, datagramSize: Int, timeout: Duration,
    at now: Duration
  ) {
    self.session = session
    template = Reset(
      viewer: viewer, cookie: Cookie(rawValue: 0), request: request, viewerName: viewerName,
      target: target, part: .initial, form: form)
    self.state = state.flatMap { $0.bytes.isEmpty ? nil : $0 }
    let size = min(max(datagramSize, Limits.datagramSizeMin), Limits.datagramSizeMax)
    pieces = UploadPieces(
      total: self.state?.bytes.count ?? 0, pieceSize: size - Reset.overheadMax)
    giveUpAt = now + timeout
    repeatAt = now
    newsAt = now
  }

  package var request: UInt64 { template.request }
  /// Octets in all.
  package var total: Int { pieces.total }
  /// Octets that the app says it has.
  package var acknowledged: Int { pieces.received }

  package func deadline(hasCookie: Bool) -> Duration? {
    guard answer == nil else { return nil }
    guard hasCookie else { return giveUpAt }
    return .least(giveUpAt, repeatAt, pieces.due)
  }

  package mutating func receive(_ progress: ResetProgress, at now: Duration) {
    guard answer == nil, hasStarted else { return }
    if progress.received.clamped(to: .max) == total { isWhole = true }
    // A progress that another overtook comes sooner.
    let mayForget = now - newsAt >= Timers.resetRepeatMax
    guard pieces.note(progress, mayForget: mayForget) else { return }
    newsAt = now
    interval = Timers.resetRepeatMin
    repeatAt = now + interval
  }

  package mutating func receive(_ outcome: Outcome) {
    guard answer == nil else { return }
    answer = .answered(outcome.result, outcome.position)
    digest = outcome.digest
  }

  /// The datagrams to send to the app now.
  ///
  /// - Parameter wait: how long an acknowledgement may take.
  package mutating func advance(to now: Duration, cookie: Cookie?, wait: Duration) -> [Datagram] {
    guard answer == nil else { return [] }
    if giveUpAt <= now {
      answer = .timedOut
      return []
    }
    guard let cookie else { return [] }
    let isDue = repeatAt <= now
    if isDue { repeatAll(at: now) }
    return parts(at: now, wait: wait, isDue: isDue).map { part in
      var reset = template
      reset.cookie = cookie
      reset.part = part
      return Datagram(session: session, body: .reset(reset))
    }
  }

  /// Nothing came in time, or nothing was sent yet.
  private mutating func repeatAll(at now: Duration) {
    if hasStarted {
      pieces.callBack()
      interval = min(interval * 2, Timers.resetRepeatMax)
    }
    hasStarted = true
    repeatAt = now + interval
  }

  private mutating func parts(at now: Duration, wait: Duration, isDue: Bool) -> [Reset.Part] {
    guard let state else { return isDue ? [.initial] : [] }
    return pieces.take(at: now, wait: wait).map { piece in
      let range = pieces.range(of: piece)
      return .bytes(
        contentType: state.type, total: WireCount(total), offset: WireCount(range.lowerBound),
        Array(state.bytes[range]))
    }
  }
}
