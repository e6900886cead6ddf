import JSONTree
import ReduxDevTools
import SurfBasics
import SurfControl

/// Translates between a Redux DevTools app on one of our relays and a guest of the network, for
/// `RelayedApps`. The app's frames become the guest's steps, and viewers' requests become frames
/// for the app (Relay.md, Guests).
///
/// Apps report their histories in two ways. A `STATE` contains all of it. An `INIT` and an `ACTION`
/// for each step have no end marker: steps that are not repeated within `settlingTime` are gone.
struct RelayedApp {
  enum Output: Equatable {
    case step(GuestStep)
    case send(JSON)
    /// A frame whose answer the app must send.
    case ask(JSON)
    case answer(GuestRequest, GuestAnswer)
  }

  /// One action. Hashes represent its contents, which may be large.
  private struct Item: Equatable {
    let id: Int
    let actionHash: Int
    var stateHash: Int
    var isSkipped = false

    init(_ step: ReportedHistory.Step) {
      id = step.id
      (actionHash, stateHash) = (step.action.hashValue, step.state.hashValue)
      isSkipped = step.isSkipped
    }
  }

  /// The history to report, without its states.
  private struct Standing: Equatable {
    var items: [Item] = []
    /// The action whose state the app is in; 0 for the initial state.
    var place = 0
    var isLocked = false
    var isPaused = false

    var tip: Int { items.last?.id ?? 0 }
    func isSkipped(_ id: Int) -> Bool { items.last { $0.id == id }?.isSkipped ?? false }
  }

  private struct Waiting {
    let request: GuestRequest
    /// Whether the request is fulfilled, given the app's history.
    let isDone: (Standing) -> Bool
    let deadline: Duration

    var isJump: Bool { if case .jump = request.wish { true } else { false } }
  }

  /// A repeated history is complete once this time has passed since its last step.
  private static let settlingTime = Duration.milliseconds(200)
  /// How long the app may take to carry out a request. Viewers wait longer.
  private static let patience = Duration.seconds(3)

  /// The newest actions to keep. They are trimmed when there are twice as many.
  private static let itemCountMax = 10_000

  let name: String
  /// The id that panels use for it.
  private let instanceID: JSON?
  private var committedHash: Int?
  private var standing = Standing()
  /// The history as the network knows it.
  private var told = Standing()
  /// States that differ from the ones that the network knows.
  private var revised: [Int: JSON] = [:]
  /// While the app repeats its history: the last step repeated, and how long to wait for more.
  private var retelling: (tip: Int, end: Duration)?
  private var waiting: [Waiting] = []
  /// The reason of an `ERROR` that refused a request. An app repeats it when it acknowledges.
  private var toldRefusal: String?
  private var outputs: [Output] = []
  /// Counts of bad input, by kind.
  private(set) var drops: [String: Int] = [:]

  /// - Parameter frame: the app's first frame.
  init(_ frame: JSON) {
    instanceID = frame["instanceId"]
    let name = frame["name"]?.string ?? frame["instanceId"]?.string ?? ""
    self.name = name.isEmpty ? "Redux app" : String(name.prefix(64))
  }

  mutating func takeOutputs() -> [Output] { outputs.takeAll() }

  var deadline: Duration? {
    (waiting.map(\.deadline) + [retelling?.end].compactMap(\.self)).min()
  }

  mutating func advance(to now: Duration) {
    if let retelling, retelling.end <= now {
      endRetelling()
      // Assume this, which holds unless the app reports something else.
      for index in standing.items.indices { standing.items[index].isSkipped = false }
      standing.place = standing.tip
      report()
    }
    for late in waiting where late.deadline <= now {
      answer(late, .refused("the app did not say within 3 s whether it has done that"))
    }
    waiting.removeAll { $0.deadline <= now }
  }

  private func signed(_ members: [(String, JSON)]) -> JSON {
    var frame = JSONObject(members.map { .init(key: $0.0, value: $0.1) })
    frame["instanceId"] = instanceID
    return .object(frame)
  }
}

// Frames from the app.
extension RelayedApp {
  mutating func hear(_ frame: JSON, at now: Duration) {
    // Viewers would take two stores on one connection for a single one.
    guard frame["instanceId"] == instanceID else {
      return drops.count("second app of a connection")
    }
    switch frame["type"]?.string {
    // `START` makes the app send its history, until the last panel leaves.
    case "START", "STOP": outputs.append(.send(signed([("type", "START")])))
    case "STATE": take(lifted: frame["payload"])
    case "INIT": begin(frame["payload"], at: now)
    case "ACTION": take(action: frame, at: now)
    case "LIFTED": if let lifted = frame["liftedState"] { stand(lifted) }
    case "ERROR":
      let reason = frame["payload"]?.string ?? ""
      outputs.append(.step(.log(.error, reason, details: nil)))
      if refuse(reason) { toldRefusal = reason }
    default: break
    }
  }

  /// Takes the app's acknowledgement of a request: its history now, or why it refused.
  mutating func acknowledge(_ answer: JSON?) {
    let told = toldRefusal.take()
    if let reason = answer?["error"]?.string {
      if reason != told { _ = refuse(reason) }
    } else if let answer {
      stand(answer)
    }
  }

  /// Refuses the oldest request. Returns false if no request waits.
  private mutating func refuse(_ reason: String) -> Bool {
    guard !waiting.isEmpty else { return false }
    answer(waiting.removeFirst(), .refused(reason))
    return true
  }

  private mutating func take(lifted payload: JSON?) {
    guard let history = payload.flatMap(ReportedHistory.value).flatMap(ReportedHistory.init) else {
      return drops.count("unreadable history of an app")
    }
    retelling = nil
    if history.firstID == 0, committedHash != history.committed.hashValue {
      begin(in: history.committed)
    }
    // These are no longer in the app's memory, but still in its history.
    told.items.removeAll { $0.id <= history.firstID }
    let former = standing.items
    for step in history.steps {
      let item = Item(step)
      let known = former.last { $0.id == item.id && $0.actionHash == item.actionHash }
      if known == nil { add(step) } else { revise(step, known) }
    }
    standing = Standing(
      items: history.steps.map(Item.init), place: history.current, isLocked: history.isLocked,
      isPaused: history.isPaused)
    report()
  }

  /// Handles an `INIT`, which restarts history, or repeats it if the state is the same.
  private mutating func begin(_ payload: JSON?, at now: Duration) {
    guard let state = payload.flatMap(ReportedHistory.value) else {
      return drops.count("unreadable history of an app")
    }
    if committedHash != state.hashValue { begin(in: state) }
    retelling = (0, now + Self.settlingTime)
  }

  private mutating func begin(in state: JSON) {
    committedHash = state.hashValue
    standing = Standing()
    (told, revised) = (standing, [:])
    outputs.append(.step(.begin(state: state)))
  }

  private mutating func take(action frame: JSON, at now: Duration) {
    guard let state = frame["payload"].flatMap(ReportedHistory.value),
      let action = frame["action"].flatMap(ReportedHistory.value)
    else { return drops.count("unreadable action of an app") }
    let id = frame["nextActionId"]?.integer.map { $0 - 1 } ?? (retelling?.tip ?? standing.tip) + 1
    let step = ReportedHistory.Step(id: id, action: action, state: state)
    if retelling != nil { retelling = (id, now + Self.settlingTime) }
    let item = Item(step)
    if let index = standing.items.lastIndex(where: { $0.id == id }), retelling != nil,
      standing.items[index].actionHash == item.actionHash
    {
      revise(step, standing.items[index])
      standing.items[index].stateHash = item.stateHash
      return
    }
    let wasAtTip = standing.place == standing.tip
    let isNext = id > standing.tip
    if !isNext { standing.items.removeAll { $0.id >= id } }
    standing.items.append(item)
    standing.place = id
    add(step)
    forgetOldest()
    // It may have stayed where it was, or gone on from its newest state: ask.
    if !wasAtTip, retelling == nil { outputs.append(.send(signed([("type", "UPDATE")]))) }
    guard retelling == nil else { return }
    // A further action needs no report: comparing the whole history for each takes too long.
    if isNext { answerWaiting() } else { report() }
  }

  private mutating func add(_ step: ReportedHistory.Step) {
    var item = Item(step)
    // The next report includes the skip.
    item.isSkipped = false
    told.items.append(item)
    told.place = step.id
    outputs.append(
      .step(.action(id: step.id, name: step.name, payload: step.action, state: step.state)))
  }

  /// Bounds the history even if the app never says that it has dropped actions.
  private mutating func forgetOldest() {
    guard standing.items.count > 2 * Self.itemCountMax else { return }
    standing.items.removeFirst(standing.items.count - Self.itemCountMax)
    let oldest = standing.items[0].id
    told.items.removeAll { $0.id < oldest }
  }

  private mutating func revise(_ step: ReportedHistory.Step, _ known: Item?) {
    if known?.stateHash != step.state.hashValue { revised[step.id] = step.state }
  }

  /// Drops the actions that the app has not repeated.
  private mutating func endRetelling() {
    guard let tip = retelling?.tip else { return }
    retelling = nil
    standing.items.removeAll { $0.id > tip }
    standing.place = min(standing.place, standing.tip)
  }

  /// Takes a partial lifted state: where the app is, and what it skips.
  private mutating func stand(_ lifted: JSON) {
    endRetelling()
    if let ids = lifted["skippedActionIds"]?.array?.compactMap(\.integer) {
      for index in standing.items.indices {
        standing.items[index].isSkipped = ids.contains(standing.items[index].id)
      }
    }
    standing.isLocked = lifted["isLocked"]?.bool ?? standing.isLocked
    standing.isPaused = lifted["isPaused"]?.bool ?? standing.isPaused
    if let index = lifted["currentStateIndex"]?.integer, index <= standing.items.count {
      standing.place = index <= 0 ? 0 : standing.items[index - 1].id
    }
    report()
  }
}

// Reports to the network, and requests from it.
extension RelayedApp {
  /// Reports the history if it differs from what the network knows.
  private mutating func report() {
    var told = told
    told.place = standing.place
    for (index, item) in standing.items.enumerated() where told.items.indices.contains(index) {
      if told.items[index].id == item.id { told.items[index].stateHash = item.stateHash }
    }
    // If a viewer requested the jump, the answer to that reports it.
    let isAnswered = waiting.first?.isJump == true && waiting.first?.isDone(standing) == true
    if told != standing || !revised.isEmpty || (self.told.place != told.place && !isAnswered) {
      let items = standing.items.map { item in
        GuestProgress.Item(id: item.id, isSkipped: item.isSkipped, state: revised[item.id])
      }
      outputs.append(
        .step(
          .stand(
            GuestProgress(
              word: word, items: items, current: standing.place, isLocked: standing.isLocked,
              isPaused: standing.isPaused))))
    }
    (self.told, revised) = (standing, [:])
    answerWaiting()
  }

  private mutating func answerWaiting() {
    while let first = waiting.first, first.isDone(standing) {
      answer(waiting.removeFirst(), .done)
    }
  }

  /// The kind of change, as the name of a command or `jump`.
  private var word: String {
    if told.isLocked != standing.isLocked { return "lock" }
    if told.isPaused != standing.isPaused { return "pause" }
    if told.items.map(\.id) != standing.items.map(\.id) { return "reorder" }
    return told.items.map(\.isSkipped) == standing.items.map(\.isSkipped) ? "jump" : "toggle"
  }

  mutating func ask(_ request: GuestRequest, at now: Duration) {
    guard let frame = request.wish.frame else {
      return outputs.append(.answer(request, .refused("an app of Redux DevTools cannot do that")))
    }
    if case .command(.toggle(let id, let skipped?)) = request.wish,
      standing.isSkipped(id) == skipped
    {
      return outputs.append(.answer(request, .done))
    }
    waiting.append(
      Waiting(
        request: request, isDone: isDone(request.wish), deadline: now + Self.patience))
    outputs.append(.ask(signed(frame)))
  }

  private mutating func answer(_ waiting: Waiting, _ answer: GuestAnswer) {
    outputs.append(.answer(waiting.request, answer))
  }

  private func isDone(_ wish: GuestRequest.Wish) -> (Standing) -> Bool {
    let before = standing
    guard case .command(let command) = wish else {
      guard case .jump(let id, _) = wish else { return { _ in true } }
      return { $0.place == id }
    }
    switch command {
    case .dispatch: return { $0.tip > before.tip }
    case .toggle(let id, _): return { $0.isSkipped(id) != before.isSkipped(id) }
    case .move(let id, let other):
      return { standing in
        guard let index = standing.items.lastIndex(where: { $0.id == id }) else { return false }
        return standing.items.dropFirst(index + 1).first?.id == other
      }
    case .sweep: return { !$0.items.contains(where: \.isSkipped) }
    case .commit, .rollback, .reset: return { $0.items.isEmpty }
    case .pause(let on): return { $0.isPaused == on }
    case .lock(let on): return { $0.isLocked == on }
    case .replace, .describe, .drive: return { _ in true }
    }
  }
}

extension GuestRequest.Wish {
  /// The frame that a panel would send; nil if panels have none.
  fileprivate var frame: [(String, JSON)]? {
    switch self {
    case .jump(let id, let state):
      let action: JSON = ["type": "JUMP_TO_ACTION", "actionId": .number(id)]
      return [("type", "DISPATCH"), ("action", action)]
        + (state.map { [("state", .string($0))] } ?? [])
    case .command(.dispatch(let action)):
      return [("type", "ACTION"), ("action", .string(action.text()))]
    case .command(let command):
      return command.panelAction.map { [("type", "DISPATCH"), ("action", $0)] }
    }
  }
}

extension HistoryCommand<Int> {
  /// The action that a panel's button sends; nil if there is no such button.
  fileprivate var panelAction: JSON? {
    switch self {
    case .toggle(let id, _): ["type": "TOGGLE_ACTION", "id": .number(id)]
    case .move(let id, let before):
      [
        "type": "REORDER_ACTION", "actionId": .number(id),
        "beforeActionId": before.map { .number($0) } ?? .null,
      ]
    case .sweep: ["type": "SWEEP"]
    case .commit: ["type": "COMMIT"]
    case .rollback: ["type": "ROLLBACK"]
    case .reset: ["type": "RESET"]
    case .pause(let on): ["type": "PAUSE_RECORDING", "status": .bool(on)]
    case .lock(let on): ["type": "LOCK_CHANGES", "status": .bool(on)]
    case .dispatch, .replace, .describe, .drive: nil
    }
  }
}
