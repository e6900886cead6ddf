import ReduxDevTools
import SurfBasics
import SurfReceiving
import SurfStreams
import SurfWire

/// One app as the gateway shows it, for `AppDirectory`: its history, the messages that wait for
/// panels, and the requests that the app has not answered.
struct GatewayApp {
  /// The state of the gateway's `describe`, which asks the app for what its history lacks.
  private enum Inquiry {
    case none, unanswered, answered
  }

  let session: SessionID
  private(set) var instance: PanelInstance
  /// The rows that each panel's indexes refer to. The key nil means all panels behind relays: the
  /// gateway cannot know what those have read.
  private var numberings: [StreamID?: Numbering] = [:]

  private struct Numbering {
    /// The rows of the history before the latest.
    let read: [SequenceNumber]
    let sent: [SequenceNumber]
  }

  /// The connection id that panels of our relay use for it, as if it were connected there.
  let connection: String
  /// When to show the app even if its past has not arrived.
  private var loadBy: Duration
  private var inquiry = Inquiry.none
  var outbox = Outbox()
  private var refetches = Refetches()
  /// Whether it was followed before, and the gateway has dropped its whole history.
  private var isForgotten: Bool
  /// The panel that last sent a command, and so may have moved its own pointer already.
  private var mover: StreamID?
  /// The number of panels' requests that the app has not answered.
  private var unansweredCount = 0
  /// Whether it has obeyed, but not yet said where it is now.
  private var owesPointer = false
  /// The stamp of the app's latest known move. Moves before the gateway saw the app are not
  /// reported.
  private var lastMove: PositionStamp
  /// The latest move, if not reported yet: dragging a slider makes many, so reports are throttled.
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

  mutating func takeOutputs() -> [AppDirectory.Output] { outputs.takeAll() }

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

  // MARK: Leaving and returning

  mutating func leave() {
    tellsMoveAt = .zero
    tellMove(at: .zero)
    unansweredCount = 0
    outbox.discard()
    refetches = Refetches()
  }

  /// Starts loading again: the app left before its past had arrived.
  mutating func loadAgain(at now: Duration) {
    inquiry = .none
    loadBy = now + GatewayLimits.loadTimeout
  }

  // MARK: Input from the app

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

  /// Changes the instance in place, because it holds a whole history.
  mutating func change<Result>(_ body: (inout PanelInstance) -> Result) -> Result {
    body(&instance)
  }

  /// Changes the instance, and sends panels the messages that result.
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

  /// Call after a record has arrived and panels have been sent it.
  mutating func noteArrival(of row: SequenceNumber, at now: Duration) {
    refetched(row...row, at: now)
    if !instance.isLoaded, inquiry != .none, instance.question == nil { finishLoading() }
  }

  /// Call when the past has arrived. Asks the app for what it lacks before showing it, because a
  /// panel learns what an app can do only from its first message.
  mutating func caughtUp() {
    refetchUnloaded()
    guard inquiry == .none else { return }
    guard !instance.isLoaded, let question = instance.question else { return finishLoading() }
    inquiry = .unanswered
    request(.command(session, question))
  }

  /// Stops waiting for more: panels may be shown the app, and relays dialed.
  private mutating func finishLoading() {
    if instance.finishLoading() { outputs.append(.shown(session)) }
  }

  /// Takes the app's answer to a panel's request, or to the gateway's own `describe`.
  mutating func receive(_ answer: ResetAnswer) {
    // What `describe` asks for arrives as a record, before or after this answer.
    if inquiry == .unanswered {
      inquiry = .answered
      if case .answered(.applied, _) = answer { return }
      return finishLoading()
    }
    unansweredCount = max(0, unansweredCount - 1)
    let reason: String
    switch answer {
    case .answered(.applied, let position):
      // The notice that says where the app is now may not have arrived yet.
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
      reason =
        "it is not sealed, and this gateway has a key: anybody could impersonate it;"
        + " --open allows moving it"
    case .watchKeyOnly: reason = "this gateway has the watch key alone"
    case .noState: reason = "this state is not here, or has no bytes"
    case .tooLarge(let limit): reason = "the request is larger than \(limit) octets"
    }
    request(.note(.refused(app: instance.name, reason: reason)))
    say(.error("\(instance.name): \(reason)"))
    settle()
  }

  // MARK: Commands of panels

  /// - Parameter hasRead: whether the panel has read the latest history that we sent.
  mutating func obey(
    _ command: PanelCommand, from stream: StreamID?, hasRead: Bool, at now: Duration
  ) {
    if let stream { mover = stream }
    let numbering = numberings[stream].map { hasRead ? $0.sent : $0.read }
    for reply in instance.perform(command, numbering: numbering) { carryOut(reply, at: now) }
    if case .start = command { refetchView(at: now) }
    // If no request is open, puts the panel's pointer back: it may have moved it in vain.
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
    unansweredCount += 1
    self.request(request)
  }

  /// Call after sending a panel the history. Only one is in transit, so it has read the last one.
  mutating func wasSentHistory(_ stream: StreamID?) {
    let numbering = instance.numbering
    let before = numberings[stream]?.sent ?? numbering
    numberings[stream] = Numbering(read: before, sent: numbering)
  }

  mutating func forget(_ stream: StreamID) { numberings[stream] = nil }

  /// Whether a message would pull back the slider of a panel that is ahead of the app.
  func isOvertaken(by panel: StreamID, in message: PanelMessage) -> Bool {
    guard case .lifted = message else { return false }
    return mover == panel && unansweredCount > 0
  }

  /// Sends every panel the app's position, once the app has answered all requests.
  private mutating func settle() {
    guard unansweredCount == 0 else { return }
    owesPointer = false
    say(instance.pointer)
  }

  /// Call when the app's position may have arrived. Sends it to panels if an answer awaited it,
  /// even if it has not changed: all but one of them may still be where they were.
  mutating func settleDebt() {
    if owesPointer { settle() }
  }
}

// Requests states again that the gateway dropped for lack of memory and a panel is looking at.
extension GatewayApp {
  /// Requests the dropped states that a panel which has just started would show.
  mutating func refetchView(at now: Duration) {
    let rows = instance.droppedInView
    guard !rows.isEmpty else { return }
    refetches.setView(rows)
    refetch(at: now)
  }

  /// Requests a dropped state that a panel jumps to. The panel's pointer waits there for it.
  private mutating func jump(toDropped row: SequenceNumber, at now: Duration) {
    if refetches.jump(to: row) { unansweredCount += 1 }
    refetch(at: now)
  }

  private mutating func refetch(at now: Duration) {
    guard let row = refetches.begin(at: now) else { return }
    request(.refetch(session, row...row))
  }

  /// Call when these rows have arrived again, or are not available.
  mutating func refetched(_ rows: ClosedRange<SequenceNumber>, at now: Duration) {
    guard let row = refetches.underWay, rows.contains(row) else { return }
    if refetches.end() {
      unansweredCount = max(0, unansweredCount - 1)
      for reply in instance.jump(toFetched: row) { carryOut(reply, at: now) }
      settle()
    }
    refetch(at: now)
  }

  /// Requests what an app did while it was away, if the gateway had dropped it: the observer
  /// repeats the rows from before, but sends later rows only on request.
  private mutating func refetchUnloaded() {
    guard isForgotten else { return }
    isForgotten = false
    if let rows = instance.unloaded { request(.refetch(session, rows)) }
  }
}

/// The rows that panels look at and whose states `GatewayApp` has dropped: it fetches one at a
/// time. Each look fetches a row once. If it is dropped again, it waits for another look.
struct Refetches {
  /// The row that has been requested.
  private(set) var underWay: SequenceNumber?
  /// When to give up on that row.
  private(set) var deadline: Duration?
  /// The row that a panel jumps to. A user who drags the slider wants only the newest.
  private var goal: SequenceNumber?
  /// Rows that a panel which has just started would show.
  private var views: [SequenceNumber] = []

  /// - Returns: false if this jump replaces one that was still open.
  mutating func jump(to row: SequenceNumber) -> Bool {
    defer { goal = row }
    return goal == nil
  }

  mutating func setView(_ rows: [SequenceNumber]) {
    views = Array(rows.prefix(GatewayLimits.refetchCountMax))
  }

  /// Starts on the next row. Returns nil if no row waits, or one is under way.
  mutating func begin(at now: Duration) -> SequenceNumber? {
    guard underWay == nil, let next = goal ?? views.first else { return nil }
    views.removeAll { $0 == next }
    (underWay, deadline) = (next, now + GatewayLimits.loadTimeout)
    return next
  }

  /// Call when the requested row has arrived, or is not available.
  ///
  /// - Returns: whether a panel is jumping to it.
  mutating func end() -> Bool {
    defer { (underWay, deadline) = (nil, nil) }
    guard let goal, goal == underWay else { return false }
    self.goal = nil
    return true
  }
}
