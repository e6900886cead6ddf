import ReduxDevTools
import SurfObserver
import SurfStreams
import SurfWire

/// One app, as the gateway shows it: what is known of it, what panels wait for, and what it was
/// asked.
struct GatewayApp {
  /// Whether it was asked for what its past does not tell.
  private enum Inquiry {
    case none, unanswered, answered
  }

  let session: SessionID
  private(set) var instance: PanelInstance
  /// The rows that each panel means by its places. The key nil is for all panels
  /// behind relays: nobody tells the gateway what they have read.
  private var numberings: [StreamID?: Numbering] = [:]

  private struct Numbering {
    /// The rows in the history before the last.
    let read: [SequenceNumber]
    let sent: [SequenceNumber]
  }

  /// The id under which panels of our own relay answer it: as if it were connected there itself.
  let connection: String
  /// When its past must be there at the latest.
  private var loadBy: Duration
  private var inquiry = Inquiry.none
  var outbox = Outbox()
  private var refetches = Refetches()
  /// It was followed before, and none of its history is here any more.
  private var isForgotten: Bool
  /// The panel that moved it last, and has moved its own pointer already.
  private var mover: StreamID?
  /// Requests of panels that it has not answered yet.
  private var unanswered = 0
  /// It has obeyed, but has not said yet where it is now.
  private var owesPointer = false
  /// Of the last move that was heard of; what was before the gateway came is history.
  private var lastMove: PositionStamp
  /// The last move, if no person was told of it yet: one that drags a slider makes many.
  private var untoldMove: Restored?
  private var tellsMoveAt = Duration.zero
  private var outputs: [AppDirectory.Output] = []

  init(
    _ instance: PanelInstance, _ session: SessionID, stamp: PositionStamp, isForgotten: Bool,
    at now: Duration
  ) {
    self.session = session
    lastMove = stamp
    self.instance = instance
    self.isForgotten = isForgotten
    connection = "surf-\(instance.id)"
    loadBy = now + GatewayLimits.loadTimeout
  }

  mutating func takeOutputs() -> [AppDirectory.Output] {
    defer { outputs = [] }
    return outputs
  }

  private mutating func request(_ request: GatewayRequest) { outputs.append(.request(request)) }

  var deadline: Duration? {
    let move = untoldMove == nil ? nil : tellsMoveAt
    return [instance.isLoaded ? nil : loadBy, outbox.deadline, refetches.deadline, move]
      .compactMap(\.self).min()
  }

  mutating func advance(to now: Duration) {
    if !instance.isLoaded, loadBy <= now { finishLoading() }
    tellMove(at: now)
    guard let row = refetches.underWay, let deadline = refetches.deadline, deadline <= now
    else { return }
    refetched(row...row, at: now)
  }

  // MARK: It goes, and comes back

  mutating func leave() {
    tellsMoveAt = .zero
    tellMove(at: .zero)
    unanswered = 0
    outbox.discard()
    refetches = Refetches()
  }

  /// Back before its past was here: that is loaded anew.
  mutating func loadAgain(at now: Duration) {
    inquiry = .none
    loadBy = now + GatewayLimits.loadTimeout
  }

  // MARK: What it tells

  mutating func noteMove(_ restored: Restored, at now: Duration) {
    guard restored.outcome == .applied, lastMove < restored.stamp else { return }
    lastMove = restored.stamp
    untoldMove = restored
    tellMove(at: now)
  }

  private mutating func tellMove(at now: Duration) {
    guard let move = untoldMove, now >= tellsMoveAt else { return }
    untoldMove = nil
    tellsMoveAt = now + GatewayLimits.movePause
    request(.note(.moved(app: instance.name, by: move.viewerName, to: move.position)))
  }

  /// In place: an instance holds a whole history.
  mutating func change<Result>(_ body: (inout PanelInstance) -> Result) -> Result {
    body(&instance)
  }

  /// Passes on what a change means for panels.
  mutating func tell(_ change: (inout PanelInstance) -> [PanelMessage]) {
    for message in change(&instance) { say(message) }
  }

  private mutating func say(_ message: PanelMessage) {
    guard instance.isLoaded else { return }
    if case .error(let reason) = message {
      outputs.append(.message(.error(reason.printable), session))
    } else {
      outputs.append(.message(message, session))
    }
  }

  /// A record is here, and panels were told.
  mutating func hasCome(_ row: SequenceNumber, at now: Duration) {
    refetched(row...row, at: now)
    if !instance.isLoaded, inquiry != .none, instance.question == nil { finishLoading() }
  }

  /// The past is here. What it does not tell is asked for first, because a panel learns what an app
  /// can do only from its first message.
  mutating func caughtUp() {
    refetchUnloaded()
    guard inquiry == .none else { return }
    guard !instance.isLoaded, let question = instance.question else { return finishLoading() }
    inquiry = .unanswered
    request(.command(session, question))
  }

  /// Nothing more will come: panels may be told, and relays dialled.
  private mutating func finishLoading() {
    if instance.finishLoading() { outputs.append(.shown(session)) }
  }

  /// The app's answer to a panel's request.
  mutating func receive(_ answer: ResetAnswer) {
    // What the gateway itself asked for comes as a record, behind the answer or before it.
    if inquiry == .unanswered {
      inquiry = .answered
      if case .answered(.applied, _) = answer { return }
      return finishLoading()
    }
    unanswered = max(0, unanswered - 1)
    let reason: String
    switch answer {
    case .answered(.applied, let position):
      // The word on where it is now may still be on its way.
      if instance.position == position { return settle() }
      owesPointer = true
      return
    case .answered(.rejected(let why), _): reason = why
    case .answered(.forbidden, _): reason = "it takes no states or commands from outside"
    case .answered(.busy, _): reason = "it is busy with other viewers' requests; try again"
    case .answered(.unavailable, _), .answered(.mismatch, _):
      reason = "it came to a state other than the one sent; try again"
    case .timedOut: reason = "it did not answer in time"
    case .unreachable: reason = "it is no longer there"
    case .observing: reason = "this gateway only observes, and asks nothing of it"
    case .notSealed:
      reason = "it is open, and this gateway has a key: anybody may pose as it; --open moves it"
    case .watchKeyOnly: reason = "this gateway has the watch key alone"
    case .notRestorable:
      reason = "this state shows what reflection saw, and cannot be sent back"
    case .noState: reason = "this state is not here, or has no bytes"
    case .tooLarge(let limit): reason = "the request is larger than \(limit) octets"
    }
    request(.note(.refused(app: instance.name, reason: reason)))
    say(.error("\(instance.name): \(reason)"))
    settle()
  }

  // MARK: What panels ask of it

  /// - Parameter hasRead: whether the panel has read the history that it was sent last.
  mutating func obey(
    _ command: PanelCommand, from stream: StreamID?, hasRead: Bool, at now: Duration
  ) {
    if let stream { mover = stream }
    let numbering = numberings[stream].map { hasRead ? $0.sent : $0.read }
    for reply in instance.perform(command, numbering: numbering) { carryOut(reply, at: now) }
    if case .start = command { look(at: now) }
    // Nothing to wait for: a panel that moved its pointer in vain has it put back.
    settle()
  }

  private mutating func carryOut(_ reply: PanelReply, at now: Duration) {
    switch reply {
    case .send(let message):
      if case .error(let reason) = message {
        request(.note(.refused(app: instance.name, reason: reason)))
      }
      say(message)
    case .fetch(let row): jump(toDropped: row, at: now)
    case .command(let bytes): ask(.command(session, bytes))
    case .reset(_, .initial): ask(.reset(session, .initial, nil))
    case .reset(let row, .bytes(let bytes, let type)):
      let target = row.map { Position(wire: $0) } ?? .elsewhere
      ask(.reset(session, target, Content(type: type, bytes: bytes)))
    }
  }

  private mutating func ask(_ request: GatewayRequest) {
    unanswered += 1
    self.request(request)
  }

  /// A panel was sent the history as it is now. One at a time is under way to it, so it has read
  /// the one before.
  mutating func wasSentHistory(_ stream: StreamID?) {
    let numbering = instance.numbering
    let before = numberings[stream]?.sent ?? numbering
    numberings[stream] = Numbering(read: before, sent: numbering)
  }

  /// A panel is gone.
  mutating func forget(_ stream: StreamID) { numberings[stream] = nil }

  /// A user who drags the slider has moved the pointer further than the app is yet.
  func isOvertaken(by panel: StreamID, in message: PanelMessage) -> Bool {
    guard case .lifted = message else { return false }
    return mover == panel && unanswered > 0
  }

  /// Puts every panel's pointer where the app is, once it has answered all that they asked.
  private mutating func settle() {
    guard unanswered == 0 else { return }
    owesPointer = false
    say(instance.pointer)
  }

  /// The word on where the app is has come: it may lead to where the pointers of all but one were
  /// before.
  mutating func settleDebt() {
    if owesPointer { settle() }
  }
}

// Fetches once more, from the app, what the gateway's memory had to drop and a panel looks at.
extension GatewayApp {
  /// A panel that begins is shown it.
  mutating func look(at now: Duration) {
    let rows = instance.droppedInView
    guard !rows.isEmpty else { return }
    refetches.look(at: rows)
    refetch(at: now)
  }

  /// A panel jumps to a row whose state is not here; its pointer stays there until that comes.
  private mutating func jump(toDropped row: SequenceNumber, at now: Duration) {
    if refetches.jump(to: row) { unanswered += 1 }
    refetch(at: now)
  }

  private mutating func refetch(at now: Duration) {
    guard let row = refetches.begin(at: now) else { return }
    request(.refetch(session, row...row))
  }

  /// These rows have come once more, or are not available.
  mutating func refetched(_ rows: ClosedRange<SequenceNumber>, at now: Duration) {
    guard let row = refetches.underWay, rows.contains(row) else { return }
    if refetches.end() {
      unanswered = max(0, unanswered - 1)
      for reply in instance.jump(toFetched: row) { carryOut(reply, at: now) }
      settle()
    }
    refetch(at: now)
  }

  /// An app that the gateway had forgotten is back, and the observer has told what it did before.
  /// The observer tells what came since only on request.
  private mutating func refetchUnloaded() {
    guard isForgotten else { return }
    isForgotten = false
    if let rows = instance.unloaded { request(.refetch(session, rows)) }
  }
}
