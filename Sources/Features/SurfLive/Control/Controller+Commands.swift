internal import FoundationEssentials
internal import JSONTree
internal import SurfControl
internal import SurfStore
internal import SurfWire

extension Controller {
  typealias Port = StorePort<Action, State>
  typealias Answer = @Sendable (Outcome.Result) -> Void

  /// Carries out what a viewer wants, and answers once.
  func decide(_ request: ResetRequest, in store: Port, answer: @escaping Answer) {
    if request.isCommand {
      perform(request, in: store, answer: answer)
    } else {
      restore(request, in: store, answer: answer)
    }
  }

  /// The answer takes its place behind the steps before the restore: both come from the store's
  /// turns, through our queue.
  private func restore(_ request: ResetRequest, in store: Port, answer: @escaping Answer) {
    do throws(RefusedState) {
      let state = try State.restored(from: Transceiver.Reset(request).state)
      let target = request.state == nil ? Position.initial : request.target
      store.revise { [self] _ in
        moved(to: target, state)
        return state
      } _: {
        answer(.applied)
      }
    } catch {
      answer(.rejected(reason: error.description))
    }
  }

  /// Carries out a command in a turn of the store's; answers once, also if nothing comes of it.
  private func perform(_ request: ResetRequest, in store: Port, answer: @escaping Answer) {
    do {
      let command = try HistoryCommand<UInt64>(parsing: request.state?.bytes ?? [])
      if case .dispatch(let json) = command {
        return try dispatch(json, in: store, answer: answer)
      }
      let plan = try plan(command, by: request.viewerName)
      let refusal = Guarded<RefusedCommand?>(nil)
      store.revise { [self] state in
        do throws(RefusedCommand) {
          return try carryOut(plan, in: state)
        } catch {
          refusal.withLock { $0 = error }
          return nil
        }
      } _: {
        answer(refusal.withLock { $0 }.map { .rejected(reason: $0.description) } ?? .applied)
      }
    } catch {
      answer(.rejected(reason: explanation(of: error)))
    }
  }

  private func dispatch(
    _ json: JSON, in store: Port, answer: @escaping Answer
  ) throws(RefusedCommand) {
    if contents.withLock({ $0.isLocked }) {
      throw RefusedCommand("the app is locked; unlock it first")
    }
    let action = try ActionDecoder.decode(json, as: Action.self, offered: creators)
    store.dispatch(action) { answer(.applied) }
  }

  /// A command in the terms of the log, with everything decoded that can be refused.
  struct Plan: Sendable {
    enum Step: Sendable {
      case toggle(UInt64, skipped: Bool?)
      case reorder(UInt64, before: UInt64?)
      case sweep, commit, rollback, reset
      case describe
      case pause(Bool)
      case lock(Bool)
      case replace(Replacement)
    }

    let step: Step
    let word: String
    let viewerName: String
    /// What was asked for, for the list of rows.
    let title: String
  }

  private func plan(_ command: HistoryCommand<UInt64>, by viewerName: String) throws(RefusedCommand)
    -> Plan
  {
    let step: Plan.Step =
      switch command {
      case .dispatch: preconditionFailure("dispatched already")
      case .toggle(let row, let skipped): .toggle(try id(of: row), skipped: skipped)
      case .move(let row, let before):
        .reorder(
          try id(of: row), before: try before.map { row throws(RefusedCommand) in try id(of: row) })
      case .sweep: .sweep
      case .commit: .commit
      case .rollback: .rollback
      case .reset: .reset
      case .describe: .describe
      case .pause(let on): .pause(on)
      case .lock(let on): .lock(on)
      case .replace(let history):
        .replace(try Replacement(history, in: contents.withLock { $0.log }))
      }
    return Plan(step: step, word: command.word, viewerName: viewerName, title: command.title)
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

  /// In a turn of the store's. Gives the state to be in, if it is another one.
  private func carryOut(_ plan: Plan, in state: State) throws(RefusedCommand) -> State? {
    switch plan.step {
    case .describe: describe(plan)
    case .pause(let on): pause(on, plan)
    case .lock(let on): lock(on, plan)
    default: return try rewrite(plan, in: state)
    }
    return nil
  }

  private func describe(_ plan: Plan) {
    tell(plan, staging: nil, state: nil, initial: contents.withLock { $0.log.initial })
  }

  private func lock(_ on: Bool, _ plan: Plan) {
    contents.withLock { $0.isLocked = on }
    announce()
    tell(plan, staging: nil, state: nil)
  }

  private func pause(_ on: Bool, _ plan: Plan) {
    let count = contents.withLock { contents in
      defer {
        contents.isPaused = on
        contents.unrecordedCount = 0
      }
      return contents.unrecordedCount
    }
    announce()
    tell(plan, staging: nil, state: nil, note: on ? "" : ", \(count) actions were not recorded")
  }

  private func rewrite(_ plan: Plan, in state: State) throws(RefusedCommand) -> State {
    let result: Result<(State, Staging), RefusedCommand> = contents.withLock { contents in
      Result { () throws(RefusedCommand) in
        let changed = try change(&contents.log, plan, state)
        return (contents.log.state, Staging(contents.log, changed: changed))
      }
    }
    let (newState, staging) = try result.get()
    tell(plan, staging: staging, state: newState)
    announce()
    return newState
  }

  private func change(
    _ log: inout Log, _ plan: Plan, _ state: State
  ) throws(RefusedCommand) -> Set<UInt64> {
    switch plan.step {
    case .toggle(let id, let skipped): return try log.setSkipped(skipped, id)
    case .reorder(let id, let before): return try log.reorder(id, before: before)
    case .sweep: log.sweep()
    case .commit: log.commit(state)
    case .rollback: log.rollback()
    case .reset: log.reset()
    case .replace(let replacement): try replacement.install(in: &log, recorder.mailbox)
    case .describe, .pause, .lock: break
    }
    return []
  }

  /// Puts the news into the stream, for every viewer.
  private func tell(
    _ plan: Plan, staging: Staging?, state: State?, initial: State? = nil, note: String = ""
  ) {
    let revision = contents.withLock { contents in
      Revision(
        command: plan.word, viewerName: plan.viewerName, isExact: true,
        isLocked: contents.isLocked, isPaused: contents.isPaused,
        creators: initial == nil ? [] : creators)
    }
    let title = "\(plan.title) by \(plan.viewerName)\(note)"
    var entry = Entry(kind: .revision, subject: title, source: .none)
    entry.payload = .report { [revision] sequences in
      var revision = revision
      revision.staging = try staging?.revised(sequences)
      revision.initial = try initial.map(Staging.json)
      return Content(type: Piece.json, bytes: revision.json.bytes())
    }
    if let state {
      entry.state = .value(state)
      contents.withLock { $0.isElsewhere = false }
    }
    _ = recorder.mailbox.add(entry)
  }
}
