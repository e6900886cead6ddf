internal import JSONTools
internal import JSONTree
internal import Redaction
internal import ReduxDevTools
internal import SurfControl
internal import SurfHistory

// Commands of the panel.
extension DevToolsMachine {
  /// The maximum number of commands that wait for a restore. Each one costs a person a click.
  private static var waitingMax: Int { 256 }

  /// Performs a command now, or after the restore of an earlier command.
  mutating func obey(_ asked: Request, at now: Duration) {
    if restoring == nil {
      perform(asked, at: now)
      // If the store was idle, the restore has already finished.
      takeMail(at: now)
    } else if waiting.count < Self.waitingMax {
      waiting.append(asked)
    } else {
      turnAway(asked, "the app is too busy to follow", at: now)
    }
  }

  /// Refuses a command while another is under way, which has its own answer.
  private mutating func turnAway(_ asked: Request, _ reason: String, at now: Duration) {
    let current = refusal
    refuse(reason, at: now)
    refusal = current
    guard let question = asked.question else { return }
    session?.link?.acknowledge(question, ["error": .string(reason)], at: now)
  }

  private mutating func perform(_ asked: Request, at now: Duration) {
    (question, refusal) = (asked.question, nil)
    carryOut(asked, at: now)
    if restoring == nil { acknowledge(at: now) }
  }

  private mutating func acknowledge(at now: Duration) {
    guard let question = question.take() else { return }
    let answer: JSON = refusal.map { ["error": .string($0)] } ?? .object(standing)
    session?.link?.acknowledge(question, answer, at: now)
  }

  private mutating func carryOut(_ asked: Request, at now: Duration) {
    echo = asked.isNews ? DevToolsAction(RemoteDevCommand(asked.command)) : nil
    switch asked.command {
    case .start: sendHistory(at: now)
    case .stop: break
    case .export: export(at: now)
    case .jump(let number, _), .jumpToIndex(let number, _): carryOut(.jump(number), at: now)
    case .rewrite(.dispatch(let action)): dispatch({ JSAN.plain(action) }, at: now)
    case .rewrite(let command): carryOut(.rewrite(command), at: now)
    case .dispatchText(let text):
      dispatch({ () throws(RefusedCommand) in try ActionDecoder.parse(text) }, at: now)
    case .create(let call):
      dispatch({ () throws(RefusedCommand) in try call.action() }, at: now)
    case .importText(let text):
      take({ () throws(LiftedFileError) in try LiftedFileError.parse(text) }, at: now)
    case .importState(let json): take({ JSAN.plain(json) }, at: now)
    case .unknown(let word):
      refuse("this app does not know '\(word)'", at: now)
    case .unreadable(let word, let member):
      refuse("'\(word)' lacks a valid '\(member)'; nothing was changed", at: now)
    }
  }

  private mutating func dispatch(
    _ read: () throws(RefusedCommand) -> JSON, at now: Duration
  ) {
    do throws(RefusedCommand) {
      let action = try Self.action(from: try read(), environment)
      sendEcho()
      app.dispatch(action)
    } catch {
      refuse(error.description, at: now)
    }
  }

  /// Emits the panel's command to the app as an action of its own.
  private mutating func sendEcho() {
    guard let action = echo.take() else { return }
    emit(action)
  }

  private mutating func take(
    _ read: () throws(LiftedFileError) -> JSON, at now: Duration
  ) {
    do throws(LiftedFileError) {
      let lifted = Self.unwrapped(try read())
      let command = HistoryCommand<Int>.replace(try ForeignHistory(lifted: lifted))
      let flags: [HistoryCommand<Int>] = [
        .pause(lifted["isPaused"] == .bool(true)), .lock(lifted["isLocked"] == .bool(true)),
      ]
      carryOut(.rewrite(command, then: flags), at: now)
    } catch {
      refuse("the file cannot be imported: \(error)", at: now)
    }
  }

  /// Unwraps the lifted state, and adds an empty `actionsById` if it has states but no actions.
  private static func unwrapped(_ json: JSON) -> JSON {
    let lifted = json["nextLiftedState"] ?? json["liftedState"] ?? json
    guard var object = lifted.object, object["computedStates"] != nil,
      object["actionsById"] == nil
    else { return lifted }
    object["actionsById"] = [:]
    return .object(object)
  }
}

// Changes of the history.
extension DevToolsMachine {
  /// Changes a copy of the history, which replaces it once the app is in the copy's state.
  private mutating func carryOut(_ order: Order, at now: Duration) {
    guard let history else { return refuse("the app has not started", at: now) }
    do throws(RefusedCommand) {
      var outcome = history
      guard try change(&outcome, order) else { return adopt(outcome, order, at: now) }
      guard environment.decodeState != nil || order.returns(to: outcome) else {
        guard case .rewrite(.replace, _) = order else {
          throw RefusedCommand("this app cannot travel: its environment has no decodeState")
        }
        // The app lists the imported history, and stays in its state.
        outcome.stay(in: history)
        return adopt(outcome, order, at: now)
      }
      guard let value = outcome.state.value else { throw Self.unreadable }
      let number = nextNumber()
      restoring = Restoring(
        number: number, order: order, outcome: outcome, echo: echo,
        question: question)
      app.restore(value, order.bringsState ? marked(outcome) : Optional.none, number)
    } catch {
      refuse(error.description, at: now)
    }
  }

  /// - Returns: whether the app must be put into another state.
  private func change(
    _ history: inout NumberedHistory<Action, State>, _ order: Order
  ) throws(RefusedCommand) -> Bool {
    switch order {
    case .jump(let number):
      try history.jump(to: number)
      return true
    case .rewrite(let command, _):
      return try history.perform(command, reading: reader, at: wallTime()).movesApp
    }
  }

  private static var unreadable: RefusedCommand {
    RefusedCommand("cannot restore the state: it does not decode as \(State.self)")
  }

  private var reader: Plan<Attempt<Action>, Shown<State>>.Reader {
    let (environment, app) = (environment, app)
    let live = history?.state.value
    return Plan.Reader { json throws(RefusedCommand) in
      .happened(try Self.action(from: json, environment))
    } state: { json throws(RefusedCommand) in
      let text = json.text()
      guard let decode = environment.decodeState else { return Shown(text: text) }
      let filled = try Self.refusing { () throws(UnfilledMark) in
        try environment.filled(json, from: live)
      }
      guard let value = decode(filled.clear.text()) as? State else { throw Self.unreadable }
      try Self.refusing { () throws(UnfilledMark) in
        try environment.check(value, madeOf: filled)
      }
      if let objection = app.objection(to: value) {
        throw RefusedCommand("the app rejects this state (\(objection))")
      }
      return Shown(value: value, text: text)
    }
  }

  /// The reported JSON of the history's state, if it contains redaction marks.
  private func marked(_ history: NumberedHistory<Action, State>) -> JSON? {
    guard let told = JSON(ifValid: Array(history.stateText.utf8)), told.hasMark else {
      return Optional.none
    }
    return told
  }

  private static func action(
    from json: JSON, _ environment: DevToolsEnvironment
  ) throws(RefusedCommand) -> Action {
    if json.hasMark {
      throw RefusedCommand("the action has a redacted value; write one in the place of its mark")
    }
    return try ActionDecoder.decode(
      json, as: Action.self, tellsValues: environment.redacted.isEmpty)
  }

  private static func refusing<Value>(
    _ body: () throws(UnfilledMark) -> Value
  ) throws(RefusedCommand) -> Value {
    do throws(UnfilledMark) {
      return try body()
    } catch {
      throw RefusedCommand(error.description)
    }
  }

  /// Completes a restore: the app is now in the restored state.
  mutating func finish(_ number: UInt, at now: Duration) {
    guard let done = restoring, done.number == number else { return }
    (restoring, echo) = (nil, done.echo)
    (question, refusal) = (done.question, nil)
    adopt(meanwhile(done), done.order, at: now)
    acknowledge(at: now)
    performWaiting(at: now)
  }

  /// The history after a restore. Actions that the app performed while the restore was under way
  /// count as before the command. So the command is repeated on a history with them, unless it
  /// replaces the history.
  private func meanwhile(_ done: Restoring) -> NumberedHistory<Action, State> {
    guard var now = history, now.lastID != done.outcome.lastID, done.order.keepsHistory else {
      return done.outcome
    }
    do throws(RefusedCommand) {
      _ = try change(&now, done.order)
      now.settle(like: done.outcome)
    } catch {
      // The command's action was evicted, but the app is in that state nevertheless.
      now.stay(in: done.outcome)
    }
    return now
  }

  /// Fails a restore that the app has not performed by now.
  mutating func settle(_ number: UInt, at now: Duration) {
    guard let failed = restoring, failed.number == number else { return }
    (restoring, question) = (nil, failed.question)
    refuse("the app refused the restore", at: now)
    acknowledge(at: now)
    performWaiting(at: now)
  }

  private mutating func performWaiting(at now: Duration) {
    while restoring == nil, !waiting.isEmpty { perform(waiting.removeFirst(), at: now) }
  }

  /// Replaces the history after a command, and reports to the app and the panel.
  private mutating func adopt(
    _ outcome: NumberedHistory<Action, State>, _ order: Order, at now: Duration
  ) {
    history = outcome
    sendEcho()
    guard case .rewrite(let command, let others) = order else {
      isTravelling = true
      show()
      return sendPosition(at: now)
    }
    switch command {
    case .pause:
      show()
      return sendPosition(at: now)
    case .lock(let on):
      state.refusedActionCount = 0
      app.gate.lock(on)
      show()
      return sendPosition(at: now)
    // Only one row and the app's position change.
    case .toggle where !outcome.isExact:
      isTravelling = true
      show()
      return sendPosition(at: now)
    case .replace:
      isTravelling = environment.decodeState != nil
      list(outcome)
    case .commit, .rollback, .reset:
      isTravelling = false
      list(nil)
    default: break
    }
    for other in others { carryOut(.rewrite(other), at: now) }
    sendHistory(at: now)
  }

  /// Copies an imported history into the app's `DevToolsState`; nil clears it.
  private mutating func list(_ history: NumberedHistory<Action, State>?) {
    let steps = history?.steps ?? []
    state.stateHistory = (history.map { [$0.base] } ?? []) + steps.map(\.state)
    state.actionHistory =
      (history == nil ? [] : [#"{"type":"@@INIT"}"#]) + steps.map(\.action)
  }
}

extension DevToolsMachine.Order {
  /// Whether it leads to the state at the app's start, which needs no decoding.
  fileprivate func returns(to outcome: NumberedHistory<Action, State>) -> Bool {
    switch self {
    case .rewrite(.reset, _), .rewrite(.rollback, _): outcome.isAtStart
    case .rewrite, .jump: false
    }
  }

  /// Whether the history keeps its actions, so that the command can be repeated after more of them.
  fileprivate var keepsHistory: Bool {
    switch self {
    case .jump, .rewrite(.toggle, _), .rewrite(.move, _): true
    case .rewrite: false
    }
  }
}
