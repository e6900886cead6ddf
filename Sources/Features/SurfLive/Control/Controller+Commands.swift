internal import FoundationEssentials
internal import JSONTree
internal import Redaction
internal import SurfControl
internal import SurfHistory
internal import SurfNetwork
internal import SurfStore
internal import SurfThreads
internal import SurfWire
internal import ValueCoding

extension Controller {
  typealias Port = StorePort<Action, State>
  typealias Answer = @Sendable (Outcome.Result) -> Void

  /// Carries out what a viewer wants, and answers once.
  func decide(_ reset: IncomingReset, in store: Port, answer: @escaping Answer) {
    if reset.isCommand {
      perform(reset, in: store, answer: answer)
    } else {
      restore(reset, in: store, answer: answer)
    }
  }

  /// The answer takes its place behind the steps before the restore: both come from the store's
  /// turns, through our queue.
  private func restore(_ reset: IncomingReset, in store: Port, answer: @escaping Answer) {
    if let marked = reset.state.flatMap({ MarkedState($0.bytes) }) {
      return restore(marked, for: reset, in: store, answer: answer)
    }
    do throws(RefusedState) {
      let state = try state(from: Transceiver.Reset(reset).state)
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

  /// The same with a state that has marks: what the app keeps in their place is what it has in the
  /// turn in which it is put there.
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
        try State.restored(from: Data(filled.clear.bytes()), over: filled)
      }
    }.get()
    // Before a validator sees it, whose words are told.
    try filled.check(state, coder)
    return try validated(state)
  }

  /// The state that JSON describes, with what the app has in the place of marks.
  func state(from json: JSON, over live: State) throws(RefusedState) -> State {
    let bytes = json.bytes()
    guard let marked = MarkedState(bytes) else { return try state(from: Data(bytes)) }
    return try state(from: marked, in: live, ValueCoder.current)
  }

  private func state(from data: Data?) throws(RefusedState) -> State {
    try validated(State.restored(from: data))
  }

  /// A state that the app may be in.
  private func validated(_ state: State) throws(RefusedState) -> State {
    if let objection = validators.objection(to: state) { throw .rejected(objection) }
    return state
  }

  /// Carries out a command in a turn of the store's; answers once, even if nothing comes of it.
  private func perform(_ reset: IncomingReset, in store: Port, answer: @escaping Answer) {
    do {
      let bytes = reset.state?.bytes ?? []
      if let text = try ImportText(parsing: bytes) {
        return try bring(in: text, for: reset, in: store, answer: answer)
      }
      let command = try HistoryCommand<UInt64>(parsing: bytes)
      if case .dispatch(let json) = command {
        return try dispatch(json, by: reset.viewerName, in: store, answer: answer)
      }
      let known = try command.map { row throws(RefusedCommand) in try id(of: row) }
      let order = Order(
        word: command.word, title: command.title, isQuestion: command == .describe,
        plan: .command(known), viewerName: reset.viewerName)
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

  /// An action that can be run: the app's own values were never those of another one.
  func action(from json: JSON) throws(RefusedCommand) -> Action {
    if json.hasMark {
      throw RefusedCommand("the action has a redacted value; write one in the place of its mark")
    }
    return try ActionDecoder.decode(
      json, as: Action.self, offered: creators, tellsValues: !ValueCoder.current.redactsPaths)
  }

  /// What a viewer wants, and how it is told to all of them.
  struct Order: Sendable {
    let word: String
    let title: String
    /// Whether a viewer asked for what no action tells.
    var isQuestion = false
    let plan: Plan<Action, State>
    let viewerName: String
  }

  private func id(of row: UInt64) throws(RefusedCommand) -> UInt64 {
    let newest = recorder.newestRow
    guard SequenceNumber(row) <= newest else {
      let rows = newest == 0 ? "there are none yet" : "rows are 1 to \(newest)"
      throw RefusedCommand("there is no row \(row); \(rows)")
    }
    if let id = recorder.ticket(of: SequenceNumber(row)) { return id }
    throw RefusedCommand(
      "row \(row) is \(row == 0 ? "the initial state, and no action" : "no action")")
  }

  /// In a turn of the store's. Gives the state to be in, if the rows are others.
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
    let id = tell(order, change, rewrite, state: newState)
    if let id, rewrite != nil { contents.withLock { $0.history.noteRewrite(id.ticket) } }
    announce()
    return newState
  }

  /// Records a step as if it had happened now, so that every viewer has it.
  ///
  /// - Parameter beginning: Where its history begins, if it is the first.
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

  /// The rows as they stand after a rewrite, and how to find out whether they are exact.
  private struct Rewrite: Sendable {
    let staging: Staging<State>
    let check: ReplayCheck<Action, State>

    /// The most that is spent on comparing, on the recorder's thread: rows wait behind it.
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

  /// Puts the news into the stream, for every viewer.
  private func tell(
    _ order: Order, _ change: History<Action, State>.Change, _ rewrite: Rewrite?, state: State?
  ) -> RecordID? {
    let (history, creators) = (contents.withLock { $0.history }, creators)
    let revision = Revision(
      command: order.word, viewerName: order.viewerName,
      replay: history.log.isExact ? .exact : .approximate,
      isLocked: history.isLocked, isPaused: history.isPaused,
      creators: order.isQuestion ? creators : [])
    let initial = order.isQuestion ? history.log.initial : nil
    let note = change.unrecordedCount.map { ", \($0) actions were not recorded" } ?? ""
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

/// As the configuration has states written.
func json(_ state: some Encodable) throws -> JSON { try ValueCoder.current.json(state) }
