internal import FoundationEssentials
internal import JSONTree
internal import Redaction
internal import SurfControl
internal import SurfHistory
internal import SurfNetwork
internal import SurfStore
internal import SurfThreads
internal import SurfValues
internal import SurfWire
internal import ValueCoding

extension Controller {
  typealias Port = StorePort<Action, State>
  typealias Answer = @Sendable (Outcome.Result) -> Void

  /// Carries out a viewer's request, and answers once.
  func decide(_ reset: IncomingReset, in store: Port, answer: @escaping Answer) {
    if reset.isCommand {
      perform(reset, in: store, answer: answer)
    } else {
      restore(reset, in: store, answer: answer)
    }
  }

  /// The answer follows the steps before the restore, because both come from the store's turns and
  /// go through the mailbox.
  private func restore(_ reset: IncomingReset, in store: Port, answer: @escaping Answer) {
    if let marked = reset.state.flatMap({ MarkedState($0.bytes) }) {
      return restore(marked, for: reset, in: store, answer: answer)
    }
    do throws(RefusedState) {
      let state = try validated(states.restored(from: reset.state.map { Data($0.bytes) }))
      store.revise(reset.request) { [self] _ in
        moved(state, by: reset)
        return state
      } _: {
        answer(.applied(unless: $0))
      }
    } catch {
      answer(.rejected(reason: error.description))
    }
  }

  /// The same for a state with marks. They are filled in within the store's turn, so that the app
  /// keeps the values that it has at that moment.
  private func restore(
    _ marked: MarkedState, for reset: IncomingReset, in store: Port, answer: @escaping Answer
  ) {
    let refusal = Monitor<RefusedState?>(nil)
    let coder = ValueCoder.current
    store.revise(reset.request) { [self] live in
      switch Result(catching: { () throws(RefusedState) in
        try state(from: marked, in: live, coder)
      }) {
      case .success(let state):
        moved(state, by: reset)
        return state
      case .failure(let error):
        refusal.withLock { $0 = error }
        return nil
      }
    } _: {
      answer(.applied(unless: $0 ?? refusal.withLock { $0 }))
    }
  }

  private func state(
    from marked: MarkedState, in live: State, _ coder: ValueCoder
  ) throws(RefusedState) -> State {
    let filled = try marked.filled(from: live, coder)
    let state = try ValueCoder.$current.withValue(coder) {
      Result { () throws(RefusedState) in
        try states.restored(from: Data(filled.clear.bytes()), over: filled)
      }
    }.get()
    // Check before a validator sees the state: viewers see what a validator says.
    try filled.check(state, coder)
    return try validated(state)
  }

  /// Decodes a state. The app's own values replace marks.
  func state(from json: JSON, over live: State) throws(RefusedState) -> State {
    let bytes = json.bytes()
    guard let marked = MarkedState(bytes) else {
      return try validated(states.restored(from: Data(bytes)))
    }
    return try state(from: marked, in: live, ValueCoder.current)
  }

  /// Throws if a validator of the app objects.
  private func validated(_ state: State) throws(RefusedState) -> State {
    if let objection = validators.objection(to: state) { throw .rejected(objection) }
    return state
  }

  /// Carries out a command in a turn of the store. Answers once, even if it refuses the command.
  private func perform(_ reset: IncomingReset, in store: Port, answer: @escaping Answer) {
    do {
      let bytes = reset.state?.bytes ?? []
      if let text = try ImportText(parsing: bytes) {
        return try importHistory(from: text, for: reset, in: store, answer: answer)
      }
      let command = try HistoryCommand<UInt64>(parsing: bytes)
      if case .dispatch(let json) = command {
        return try dispatch(json, by: reset.viewerName, in: store, answer: answer)
      }
      let known = try command.map { row throws(RefusedCommand) in try id(of: row) }
      let order = Order(
        .command(known), word: command.word, title: command.title,
        isQuestion: command == .describe, by: reset.viewerName)
      perform(order, in: store, answer: answer)
    } catch {
      answer(.rejected(reason: explanation(of: error)))
    }
  }

  func perform(_ order: Order, in store: Port, answer: @escaping Answer) {
    let refusal = Monitor<RefusedCommand?>(nil)
    store.revise(nil) { [self] state in
      do throws(RefusedCommand) {
        return try carryOut(order, in: state)
      } catch {
        refusal.withLock { $0 = error }
        return nil
      }
    } _: {
      answer(.applied(unless: $0 ?? refusal.withLock { $0 }))
    }
  }

  private func dispatch(
    _ json: JSON, by viewerName: String, in store: Port, answer: @escaping Answer
  ) throws(RefusedCommand) {
    if contents.withLock({ $0.history.isLocked }) {
      throw RefusedCommand("the app is locked; unlock it first")
    }
    let action = try action(from: json)
    contents.withLock { $0.dispatched = ("\(action)", nil) }
    store.dispatch(action, viewerName) { [self] obstacle in
      let objection = contents.withLock { $0.dispatched.take()?.objection }
      let refusal = objection.map { RefusedCommand("the app rejects this action (\($0))") }
      answer(.applied(unless: obstacle ?? refusal))
    }
  }

  /// Decodes an action. One with marks is refused: an action has no values that the app could keep.
  func action(from json: JSON) throws(RefusedCommand) -> Action {
    if json.hasMark {
      throw RefusedCommand("the action has a redacted value; write one in the place of its mark")
    }
    return try ActionDecoder.decode(
      json, as: Action.self, offered: creators, tellsValues: !ValueCoder.current.redactsPaths)
  }

  /// A command to carry out, and the text of the record that reports it to all viewers. A class,
  /// because Swift would write code to copy each part for any types of the app's.
  final class Order: Sendable {
    let word: String
    let title: String
    /// Whether the command is `describe`, whose record carries the initial state.
    let isQuestion: Bool
    let plan: Plan<Action, State>
    let viewerName: String

    init(
      _ plan: Plan<Action, State>, word: String, title: String, isQuestion: Bool = false,
      by viewerName: String
    ) {
      (self.word, self.title, self.isQuestion) = (word, title, isQuestion)
      (self.plan, self.viewerName) = (plan, viewerName)
    }
  }

  private func id(of row: UInt64) throws(RefusedCommand) -> UInt64 {
    let newest = recorder.newestRow
    guard SequenceNumber(row) <= newest else {
      let rows = newest == 0 ? "there are none yet" : "rows are 1 to \(newest)"
      throw RefusedCommand("there is no row \(row); \(rows)")
    }
    if let id = recorder.ticket(of: SequenceNumber(row)) { return id }
    throw RefusedCommand(
      "row \(row) is \(row == 0 ? "the initial state, not an action" : "not an action")")
  }

  /// Carries out a command in a turn of the store. Returns the app's new state if rows changed.
  private func carryOut(_ order: Order, in state: State) throws(RefusedCommand) -> State? {
    var beginning: Position?
    if case .imported(let other) = order.plan { beginning = try prepare(for: other) }
    typealias Done = (change: History<Action, State>.Change, log: ActionLog<Action, State>)
    let result: Result<Done, RefusedCommand> = contents.withLock { contents in
      Result { () throws(RefusedCommand) in
        let change = try contents.history.perform(order.plan, in: state) {
          step throws(RefusedCommand) in
          defer { beginning = nil }
          return try enter(step, after: beginning)
        }
        return (change, contents.history.log)
      }
    }
    let (change, log) = try result.get()
    let rewrite = change.computed.map { Rewrite(log, computed: $0) }
    let newState = rewrite == nil ? nil : log.state
    let id = addRevision(order, change, rewrite, state: newState)
    if let id, rewrite != nil { contents.withLock { $0.history.noteRewrite(id.ticket) } }
    announce()
    return newState
  }

  /// Records a step of an import as if it had happened now, so that every viewer gets it.
  ///
  /// - Parameter beginning: The state that the import begins with, if this is its first step.
  private func enter(
    _ step: Plan<Action, State>.Step, after beginning: Position?
  ) throws(RefusedCommand) -> UInt64 {
    var entry = Entry(kind: .action, subject: step.name, source: .none)
    if let beginning { entry.ancestry = .beginning(beginning) }
    if let payload = step.payload {
      entry.payload = .bytes(payload.bytes(), contentType: Piece.json)
    }
    entry.state = step.state.map { .value($0) } ?? .givenUp
    entry.isForReplay = true
    if let id = recorder.mailbox.add(entry) { return id.ticket }
    throw RefusedCommand("the app is too busy to take in so many actions")
  }

  /// The rows after a rewrite, and the check whether it was exact. A class for the same reason as
  /// `Order`.
  private final class Rewrite: Sendable {
    let staging: Staging<State>
    let check: ReplayCheck<Action, State>

    /// Limits for the check. It runs on the recorder's thread, and records wait for it.
    private static var sizeMax: Int { 8 << 20 }
    private static var timeMax: Duration { .milliseconds(250) }

    init(_ log: ActionLog<Action, State>, computed: Set<UInt64>) {
      staging = Staging(log, changed: computed)
      check = ReplayCheck(log, computed: computed)
    }

    func compare() -> Revision.Replay {
      let end = ContinuousClock.now + Self.timeMax
      let coder = ValueCoder.current.clear
      return check.result {
        try coder.bytes(of: $0)
      } mayGoOn: { size in
        size < Self.sizeMax && ContinuousClock.now < end
      }
    }
  }

  /// Adds the record that reports the command to every viewer.
  private func addRevision(
    _ order: Order, _ change: History<Action, State>.Change, _ rewrite: Rewrite?, state: State?
  ) -> RecordID? {
    let (history, creators) = (contents.withLock { $0.history }, creators)
    let revision = Revision(
      command: order.word, viewerName: order.viewerName,
      replay: history.log.isExact ? .exact : .approximate,
      isLocked: history.isLocked, isPaused: history.isPaused,
      creators: order.isQuestion ? creators : [])
    let initial = order.isQuestion ? history.log.initial : nil
    let note =
      change.unrecordedCount.map { count in
        ", \(count) \(count == 1 ? "action was" : "actions were") not recorded"
      } ?? ""
    var entry = Entry(
      kind: .revision, subject: "\(order.title) by \(order.viewerName)\(note)",
      source: .none)
    entry.payload = .report { sequences in
      var revision = revision
      if let rewrite {
        let row = { (id: UInt64) in sequences.sequence(of: id).rawValue }
        revision.staging = try rewrite.staging.revision(row: row, json: json)
        revision.replay = rewrite.compare().map(row)
      }
      revision.initial = try initial.map(json)
      return Content(type: Piece.json, bytes: revision.json.bytes())
    }
    if let state { entry.state = .value(state) }
    return recorder.mailbox.add(entry)
  }
}

extension Outcome.Result {
  fileprivate static func applied(unless refusal: (any CustomStringConvertible)?) -> Self {
    refusal.map { .rejected(reason: $0.description) } ?? .applied
  }
}

/// Encodes a state with the configuration's `coding`.
func json(_ state: some Encodable) throws -> JSON { try ValueCoder.current.json(state) }

/// A state from a viewer that has marks in the place of redacted values.
struct MarkedState: Sendable {
  private let json: JSON

  /// Nil if there is no mark.
  init?(_ bytes: [UInt8]) {
    // Parsing takes as long as decoding, so only parse what may have a mark.
    guard RedactionMark.mayStand(in: bytes), let json = JSON(ifValid: bytes), json.hasMark else {
      return nil
    }
    self.json = json
  }

  /// The state with the app's own values in the place of marks.
  func filled(from live: AppValue?) throws(UnfilledMark) -> AppValue {
    try json.filled(from: live)
  }

  /// The same, with the values of an app's state. Numbers that JSON does not have become null: a
  /// person may want to leave just such a state.
  func filled(from live: some Encodable, _ coder: ValueCoder) throws(RefusedState) -> AppValue {
    let coder = coder.withNullNumbers
    let told: JSON
    do {
      told = try coder.json(live)
    } catch {
      let reason = coder.explanation(of: error, in: [])
      throw .unfilled(reason: "the app cannot keep the hidden values of its state: \(reason)")
    }
    do {
      return try filled(from: AppValue(clear: coder.clear.withNullNumbers.json(live), told: told))
    } catch {
      // The fault may lie inside a redacted value.
      throw .unfilled(reason: explanation(of: error, over: AppValue(clear: .null, told: told)))
    }
  }
}

/// Why the app refused a state, without the values that were filled in. All viewers see it.
func explanation(
  of error: any Error, over filled: AppValue?,
  tellsValues: Bool = !ValueCoder.current.redactsPaths
) -> String {
  guard let filled else { return explanation(of: error, tellsValues: tellsValues) }
  return explanation(of: error, tellsValues: false) { filled.openCount(of: $0) }
}

extension AppValue {
  /// Refuses a decoded state that would show a filled-in value to viewers.
  func check(_ state: some Encodable, _ coder: ValueCoder) throws(RefusedState) {
    do {
      try check(in: coder.json(state))
    } catch {
      throw .unfilled(reason: explanation(of: error, over: self))
    }
  }
}
