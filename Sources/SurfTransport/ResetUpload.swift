import SurfWire

/// The viewer's side of one reset: sends a state to an app piece by piece until the app says what
/// became of it (Protocol.md §11.2).
///
/// Go-back-N, because the other side then needs no more than a buffer that grows at its end. It
/// waits for a cookie, without which the app would not listen.
package struct ResetUpload: Sendable {
  package enum Answer: Equatable, Sendable {
    case answered(Outcome.Result, Position)
    case timedOut
  }

  private let template: Reset
  private let session: SessionID
  private let state: Content?
  private let chunkSize: Int
  private let giveUpAt: Duration
  /// Octets that the app says it has.
  package private(set) var acknowledged = 0
  private var sent = 0
  private var repeatAt: Duration
  private var interval = Timers.resetRepeatMin
  private var wentBackAt: Duration?
  private var hasStarted = false

  package private(set) var answer: Answer?

  /// Chunks on the way that are not acknowledged: about 40 KB, less than any receive buffer.
  private static let windowCount = 32

  /// - Parameter state: nil or empty for the app's initial state.
  package init(
    session: SessionID, viewer: ViewerID, viewerName: String, request: UInt64, target: Position,
    state: Content?, isCommand: Bool = false, datagramSize: Int, timeout: Duration,
    at now: Duration
  ) {
    self.session = session
    template = Reset(
      viewer: viewer, cookie: Cookie(rawValue: 0), request: request, viewerName: viewerName,
      target: target, part: .initial, isCommand: isCommand)
    self.state = state.flatMap { $0.bytes.isEmpty ? nil : $0 }
    let size = min(max(datagramSize, Limits.datagramSizeMin), Limits.datagramSizeMax)
    chunkSize = size - Reset.overheadMax
    giveUpAt = now + timeout
    repeatAt = now
  }

  package var request: UInt64 { template.request }

  package func deadline(hasCookie: Bool) -> Duration? {
    guard answer == nil else { return nil }
    return hasCookie ? min(repeatAt, giveUpAt) : giveUpAt
  }

  package mutating func receive(_ progress: ResetProgress, at now: Duration) {
    guard answer == nil, hasStarted, progress.received <= UInt32(clamping: total) else { return }
    let received = Int(progress.received)
    if received > acknowledged {
      acknowledged = received
      sent = max(sent, received)
      interval = Timers.resetRepeatMin
      repeatAt = received < total ? now : now + interval
    } else if received == acknowledged, sent > acknowledged,
      now - (wentBackAt ?? .seconds(-1)) >= Timers.nakRepeatMin
    {
      wentBackAt = now
      sent = acknowledged
      repeatAt = now
    }
  }

  package mutating func receive(_ outcome: Outcome) {
    guard answer == nil else { return }
    answer = .answered(outcome.result, outcome.position)
  }

  /// Datagrams to send to the app now.
  package mutating func advance(to now: Duration, cookie: Cookie?) -> [Datagram] {
    guard answer == nil else { return [] }
    if giveUpAt <= now {
      answer = .timedOut
      return []
    }
    guard let cookie, repeatAt <= now else { return [] }
    if hasStarted, sent >= min(total, acknowledged + window) { goBack() }
    hasStarted = true
    repeatAt = now + interval
    return chunks().map { part in
      var reset = template
      reset.cookie = cookie
      reset.part = part
      return Datagram(session: session, body: .reset(reset))
    }
  }

  /// Octets in all.
  package var total: Int { state?.bytes.count ?? 0 }

  private var window: Int { Self.windowCount * chunkSize }

  /// Nothing came back in time. When all has arrived, the last piece asks what became of it.
  private mutating func goBack() {
    sent = acknowledged == total ? max(0, total - chunkSize) : acknowledged
    interval = min(interval * 2, Timers.resetRepeatMax)
  }

  private mutating func chunks() -> [Reset.Part] {
    guard let state else { return [.initial] }
    var parts: [Reset.Part] = []
    while sent < min(total, acknowledged + window) {
      let end = min(total, sent + chunkSize)
      parts.append(
        .bytes(
          contentType: state.type, total: UInt32(total), offset: UInt32(sent),
          Array(state.bytes[sent..<end])))
      sent = end
    }
    return parts
  }
}
