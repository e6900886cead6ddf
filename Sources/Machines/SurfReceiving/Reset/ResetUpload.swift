import SurfBasics
import SurfTransport
import SurfWire

/// A viewer's side of one request: sends a state, a delta of one or a command to an app in pieces
/// until the app reports the outcome (Protocol.md §11.3). `ObserverMachine` has one for each, and a
/// second one if the app could not make the state of a delta.
///
/// It sends nothing without a cookie, because the app would ignore it.
package struct ResetUpload: Sendable {
  private let template: Reset
  private let session: SessionID
  private let state: Content?
  /// How long to wait for the app to acknowledge more of it.
  private let timeout: Duration
  /// The most pieces that the app ever had.
  private var arrivedMax = 0
  /// When to give up, unless the app acknowledges more.
  package private(set) var giveUpAt: Duration
  private var pieces: UploadPieces
  /// When to assume a loss if the app stays silent.
  private var repeatAt: Duration
  private var interval = Timers.resetRepeatMin
  /// When the app last reported something new; at first, when the upload began.
  private var newsAt: Duration
  private var hasStarted = false

  package private(set) var answer: ResetAnswer?
  /// Whether the app has the whole state.
  package private(set) var isWhole = false
  /// How much of the work the app has done, if it reports that.
  package private(set) var share: ResetProgress.Share?
  /// The digest of the app's present state.
  package private(set) var digest: Digest?

  /// - Parameter fileName: the name of the state's file; nil if the app takes no names.
  /// - Parameter state: the state to send; nil or empty for the app's initial state.
  /// - Parameter giveUpAt: when to give up unless the app acknowledges more; nil for `now +
  ///   timeout`.
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
  /// The size in octets.
  package var total: Int { pieces.total }
  package var acknowledged: Int { pieces.received }

  package func deadline(hasCookie: Bool) -> Duration? {
    guard answer == nil else { return nil }
    guard hasCookie else { return giveUpAt }
    return .least(giveUpAt, repeatAt, pieces.due)
  }

  /// - Returns: whether the app has more than ever before.
  @discardableResult
  package mutating func receive(_ progress: ResetProgress, at now: Duration) -> Bool {
    guard answer == nil, hasStarted else { return false }
    if progress.received.clamped(to: .max) == total { isWhole = true }
    if let more = progress.share, isWhole, more > share ?? ResetProgress.Share(0, of: 1) {
      share = more
      waitAnew(from: now)
      return true
    }
    // A reordered, older progress would arrive sooner.
    let mayForget = now - newsAt >= Timers.resetRepeatMax
    guard pieces.note(progress, mayForget: mayForget) else { return false }
    newsAt = now
    interval = Timers.resetRepeatMin
    repeatAt = now + interval
    // An app that keeps forgetting does not extend the wait forever.
    guard pieces.arrivedCount > arrivedMax else { return false }
    arrivedMax = pieces.arrivedCount
    waitAnew(from: now)
    return true
  }

  /// Extends the wait: the app has more of this request, or of an earlier one.
  mutating func waitAnew(from now: Duration) { giveUpAt = max(giveUpAt, now + timeout) }

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

  /// No answer in time, or nothing sent yet.
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

/// The result of a reset, as far as the viewer knows.
package enum ResetAnswer: Equatable, Sendable {
  case answered(Outcome.Result, Position)
  /// No answer in time. The app may or may not be in that state.
  case timedOut
  /// No such instance is alive.
  case unreachable
  /// Nothing was sent: this viewer only observes.
  case observing
  /// Nothing was sent: this viewer has a key, and the app of this session does not seal.
  case notSealed
  /// Nothing was sent: this viewer has only the watch key of the app's key.
  case watchKeyOnly
  /// The state exceeds the size limit.
  case tooLarge(limit: Int)
  /// Nothing was sent: a state without octets means the app's initial one (Protocol.md §11.2), and
  /// the target is another.
  case noState
}
