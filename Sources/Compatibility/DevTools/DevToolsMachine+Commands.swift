internal import JSONTools
internal import JSONTree
internal import ReduxDevTools
internal import SurfControl
internal import SurfHistory

// What the panel wants.
extension DevToolsMachine {
  /// Commands that wait for a restore; each costs a person a click.
  private static var waitingMax: Int { 256 }

  /// Obeys now, or once the app is in the state that an earlier command wanted it in.
  mutating func obey(_ asked: Asked, at now: Duration) {
    if restoring == nil {
      perform(asked, at: now)
      // If the store was idle, a restore is over already.
      takeMail(at: now)
    } else if waiting.count < Self.waitingMax {
      waiting.append(asked)
    } else {
      refuse("the app is too busy to follow", at: now)
    }
  }

  private mutating func perform(_ asked: Asked, at now: Duration) {
    (question, refusal) = (asked.question, nil)
    carryOut(asked, at: now)
    if restoring == nil { acknowledge(at: now) }
  }

  /// Answers the relay's question, if there is one.
  private mutating func acknowledge(at now: Duration) {
    guard let question = question.take() else { return }
    let answer: JSON = refusal.map { ["error": .string($0)] } ?? .object(standing)
    session?.link?.acknowledge(question, answer, at: now)
  }

  private mutating func carryOut(_ asked: Asked, at now: Duration) {
    surfacing = asked.isNews ? DevToolsAction(RemoteDevCommand(asked.command)) : nil
    switch asked.command {
    case .start: tellAll(at: now)
    case .stop: break
    case .export: export(at: now)
    case .jump(let number, _), .jumpToIndex(let number, _): carryOut(.jump(number), at: now)
    case .rewrite(.dispatch(let action)): dispatch({ JSAN.plain(action) }, at: now)
    case .rewrite(let command): carryOut(.rewrite(command), at: now)
    case .dispatchText(let text):
      dispatch({ () throws(RefusedCommand) in try ActionDecoder.parse(text) }, at: now)
    case .create(let call):
      dispatch(
        { () throws(RefusedCommand) in
          do throws(ActionCreatorCall.Refusal) {
            return try call.action()
          } catch {
            throw RefusedCommand(error.description)
          }
        }, at: now)
    case .importText(let text):
      take({ () throws(LiftedFileError) in try LiftedFileError.parse(text) }, at: now)
    case .importState(let json): take({ JSAN.plain(json) }, at: now)
    case .unknown(let word):
      refuse("this app does not know '\(word)'", at: now)
    case .unreadable(let word, let member):
      refuse("'\(word)' has no '\(member)' that can be read; nothing was changed", at: now)
    }
  }

  private mutating func dispatch(
    _ read: () throws(RefusedCommand) -> JSON, at now: Duration
  ) {
    do throws(RefusedCommand) {
      let action = try Self.action(from: try read(), environment)
      surface()
      app.dispatch(action)
    } catch {
      refuse(error.description, at: now)
    }
  }

  /// The app sees what a panel has done as an action of its own.
  private mutating func surface() {
    guard let action = surfacing.take() else { return }
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

  /// The lifted state itself. States may come without the actions that led to them.
  private static func unwrapped(_ json: JSON) -> JSON {
    let lifted = json["nextLiftedState"] ?? json["liftedState"] ?? json
    guard var object = lifted.object, object["computedStates"] != nil,
      object["actionsById"] == nil
    else { return lifted }
    object["actionsById"] = [:]
    return .object(object)
  }
}

// What is done to the history.
extension DevToolsMachine {
  /// Works on a copy, which is the history once the app is in its state.
  private mutating func carryOut(_ order: Order, at now: Duration) {
    guard let history else { return refuse("the app has not started", at: now) }
    do throws(RefusedCommand) {
      var outcome = history
      guard try change(&outcome, order) else { return adopt(outcome, order, at: now) }
      guard environment.decodeState != nil || order.returns(to: outcome) else {
        guard case .rewrite(.replace, _) = order else {
          throw RefusedCommand("this app cannot travel: its environment has no decodeState")
        }
        // It is listed, and the app is where it was.
        outcome.stay(in: history)
        return adopt(outcome, order, at: now)
      }
      guard let value = outcome.state.value else { throw Self.unreadable }
      let number = nextNumber()
      restoring = Restoring(
        number: number, order: order, outcome: outcome, surfacing: surfacing,
        question: question)
      app.restore(value, order.bringsState ? marked(outcome) : Optional.none, number)
    } catch {
      refuse(error.description, at: now)
    }
  }

  /// Returns whether the app must be put into another state.
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
    let (environment, objection) = (environment, app.objection)
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
      if let objection = objection(value) {
        throw RefusedCommand("the app rejects this state (\(objection))")
      }
      return Shown(value: value, text: text)
    }
  }

  /// The state of a history as it was told, if that has marks.
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

  /// The app is in the state that was to be restored.
  mutating func finish(_ number: UInt, at now: Duration) {
    guard let done = restoring, done.number == number else { return }
    (restoring, surfacing) = (nil, done.surfacing)
    (question, refusal) = (done.question, nil)
    adopt(meanwhile(done), done.order, at: now)
    acknowledge(at: now)
    performWaiting(at: now)
  }

  /// What the app did before it was put into the state happened before the command, which is about
  /// it, too; unless history begins anew.
  private func meanwhile(_ done: Restoring) -> NumberedHistory<Action, State> {
    guard var now = history, now.lastID != done.outcome.lastID, done.order.keepsHistory else {
      return done.outcome
    }
    do throws(RefusedCommand) {
      _ = try change(&now, done.order)
      now.settle(like: done.outcome)
    } catch {
      // What it was about is gone, and the app is in that state all the same.
      now.stay(in: done.outcome)
    }
    return now
  }

  /// The app has had its chance to restore a state.
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

  /// The app is in the state of this history.
  private mutating func adopt(
    _ outcome: NumberedHistory<Action, State>, _ order: Order, at now: Duration
  ) {
    history = outcome
    surface()
    guard case .rewrite(let command, let others) = order else {
      isTravelling = true
      show()
      return tellPlace(at: now)
    }
    switch command {
    case .pause:
      show()
      return tellPlace(at: now)
    case .lock(let on):
      state.refusedActionCount = 0
      app.lock(on)
      show()
      return tellPlace(at: now)
    // Only one row looks otherwise, and the app is elsewhere.
    case .toggle where !outcome.isExact:
      isTravelling = true
      show()
      return tellPlace(at: now)
    case .replace:
      isTravelling = environment.decodeState != nil
      list(outcome)
    case .commit, .rollback, .reset:
      isTravelling = false
      list(nil)
    default: break
    }
    for other in others { carryOut(.rewrite(other), at: now) }
    tellAll(at: now)
  }

  /// Shows the app an imported history.
  private mutating func list(_ history: NumberedHistory<Action, State>?) {
    let steps = history?.steps ?? []
    state.stateHistory = (history.map { [$0.base] } ?? []) + steps.map(\.state)
    state.actionHistory =
      (history == nil ? [] : [#"{"type":"@@INIT"}"#]) + steps.map(\.action)
  }
}

extension DevToolsMachine.Order {
  /// Whether it leads to the state at the app's start, which needs no reading.
  fileprivate func returns(to outcome: NumberedHistory<Action, State>) -> Bool {
    switch self {
    case .rewrite(.reset, _), .rewrite(.rollback, _): outcome.isAtStart
    case .rewrite, .jump: false
    }
  }

  /// Whether the actions stay what they are.
  fileprivate var keepsHistory: Bool {
    switch self {
    case .jump, .rewrite(.toggle, _), .rewrite(.move, _): true
    case .rewrite: false
    }
  }
}
