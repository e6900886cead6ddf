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
  /// How long to wait for more of it to arrive.
  private let timeout: Duration
  /// The most pieces that were ever with the app.
  private var arrivedMax = 0
  /// When it is over unless more of it arrives.
  package private(set) var giveUpAt: Duration
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
  /// How much of the work on it the app has done, if it says so.
  package private(set) var share: ResetProgress.Share?
  /// The app's digest of the state that it is in now.
  package private(set) var digest: Digest?

  /// - Parameters:
  ///   - fileName: of the state's file; nil if the app takes no names.
  ///   - state: the state to send: nil or empty for the app's initial state.
  ///   - giveUpAt: when it is over unless more of it arrives; nil for a whole timeout.
  package init(
    session: SessionID, viewer: ViewerID, viewerName: String, request: UInt64, target: Position,
    fileName: String? = nil, state: Content?, form: Reset.Form = .state, datagramSize: Int,
    timeout: Duration,
    giveUpAt: Duration? = nil, at now: Duration
  ) {
    self.session = session
    var template = Reset(
      viewer: viewer, cookie: Cookie(rawValue: 0), request: request, viewerName: viewerName,
      target: target, part: .initial, form: form)
    template.fileName = fileName
    self.template = template
    self.state = state.flatMap { $0.bytes.isEmpty ? nil : $0 }
    let size = min(max(datagramSize, Limits.datagramSizeMin), Limits.datagramSizeMax)
    pieces = UploadPieces(
      total: self.state?.bytes.count ?? 0, pieceSize: size - Reset.overheadMax)
    self.timeout = timeout
    self.giveUpAt = giveUpAt ?? now + timeout
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

  /// - Returns: whether more has arrived than ever before.
  @discardableResult
  package mutating func receive(_ progress: ResetProgress, at now: Duration) -> Bool {
    guard answer == nil, hasStarted else { return false }
    if progress.received.clamped(to: .max) == total { isWhole = true }
    if let more = progress.share, isWhole, more > share ?? ResetProgress.Share(0, of: 1) {
      share = more
      waitAnew(from: now)
      return true
    }
    // A progress that another overtook comes sooner.
    let mayForget = now - newsAt >= Timers.resetRepeatMax
    guard pieces.note(progress, mayForget: mayForget) else { return false }
    newsAt = now
    interval = Timers.resetRepeatMin
    repeatAt = now + interval
    // An app that forgets again and again is not waited for without end.
    guard pieces.arrivedCount > arrivedMax else { return false }
    arrivedMax = pieces.arrivedCount
    waitAnew(from: now)
    return true
  }

  /// More has arrived, of this request or of one that goes before it: the app is at work.
  package mutating func waitAnew(from now: Duration) { giveUpAt = max(giveUpAt, now + timeout) }

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

/// The result of a reset, as far as the viewer can know.
package enum ResetAnswer: Equatable, Sendable {
  case answered(Outcome.Result, Position)
  /// Nothing in time; the app may or may not be in that state.
  case timedOut
  /// No such instance is alive.
  case unreachable
  /// Nothing was sent: this viewer only observes.
  case observing
  /// Nothing was sent: this viewer has a key, and whoever says to be this app has none.
  case notSealed
  /// Nothing was sent: of the app's key this viewer has the watch key alone.
  case watchKeyOnly
  /// Longer than a state may be.
  case tooLarge(limit: Int)
  /// Nothing was sent: nobody can make a state of what reflection saw of one.
  case notRestorable
  /// Nothing was sent: a state without octets means the app's initial one (Protocol.md §11.2), and
  /// the target is another.
  case noState
}
