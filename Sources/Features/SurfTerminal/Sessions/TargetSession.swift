import SurfControl
import SurfObserver
import SurfTimeline
import SurfViewer
import SurfWire

/// Runs a `TargetTask`: finds the instance, loads the rows that the task needs, and then reads them
/// or moves the app.
package struct TargetSession: CommandSession {
  private let task: TargetTask
  private var finder: Finder
  private let timeout: Duration
  /// Whether this viewer transmits nothing, and so cannot request anything.
  private let observes: Bool
  /// Whether to take the wheel before moving the app, and to give it back afterwards.
  private let drives: Bool
  private var phase = Phase.finding
  /// What to ask the user before moving the app; nil if nothing, or once it was answered.
  private var question: Question?
  /// How many actions of `TargetTask.dispatch` the app could not read.
  private var refusedCount = 0
  /// The answer to the first of them.
  private var refusal: ResetAnswer?
  private var initialState: InitialStateQuestion
  /// The result of `TargetTask.take`, once the session has ended.
  private(set) var taken: DifferenceView.Side?

  package struct Question: Equatable, Sendable {
    let verb: String
    let loss: String

    package init(verb: String, loss: String) { (self.verb, self.loss) = (verb, loss) }
  }

  private enum Phase {
    case finding
    case asking(Instance, HistoryCommand<SequenceNumber>)
    case loading(Loading)
    /// The actions need the wheel.
    case takingWheel(SessionID, AnswerReport.Question, then: [CommandAction])
    case awaitingAnswer(SessionID, AnswerReport.Question)
    /// The actions end the command once the wheel is given back.
    case returningWheel(end: [CommandAction])
    /// The app has answered. The record of the revision may still be on the way.
    case awaitingRevision(Reading)
    /// The app was asked for the state of row 0, and answers with a record.
    case awaitingInitialState(Loading)
    case ended
  }

  private struct Reading {
    let session: SessionID
    let rewrite: RewriteReport
    let end: Duration
  }

  private struct Loading {
    let session: SessionID
    /// The rows that were requested; nil if none were.
    let wish: HistoryRequest?
    var isCaughtUp = false
    var clock: ArrivalClock
  }

  package init(_ task: TargetTask, _ common: Invocation.Common, question: Question? = nil) {
    self.task = task
    self.question = question
    timeout = common.timeout
    observes = common.observes
    drives = common.drives
    finder = Finder(common)
    initialState = InitialStateQuestion(common)
  }

  package var deadline: Duration? {
    switch phase {
    case .finding: finder.deadline
    case .loading(let loading), .awaitingInitialState(let loading): loading.clock.due
    case .awaitingRevision(let reading): reading.end
    case .asking, .takingWheel, .awaitingAnswer, .returningWheel, .ended: nil
    }
  }

  package mutating func receive(
    _ event: SessionEvent, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    switch (phase, event) {
    case (.finding, _): return find(in: catalog, at: now)
    case (.asking(let instance, let command), .reply(let isSure)):
      guard isSure else {
        return fail(Failure("\(instance.label) was left as it is", meaning: "Nothing was sent."))
      }
      return send(command, to: instance, following: false)
    case (.loading(let loading), .change(let change)):
      return load(loading, change, in: catalog, at: now)
    case (.loading(var loading), .deadline(let counters)):
      let progress = loading.clock.look(for: loading.session, counters, at: now)
      phase = .loading(loading)
      if let progress { return progress }
      let label = label(loading.session, catalog)
      return fail(observes ? .notOverheard(label) : .rowsMissing(label))
    case (.takingWheel(let session, let question, let actions), .answer(let answer)):
      return take(answer, session, question, then: actions, in: catalog)
    case (.returningWheel(let actions), .answer):
      phase = .ended
      return actions
    case (.awaitingAnswer(let session, let question), .answer(let answer)):
      return receive(answer, to: question, from: session, in: catalog, at: now)
    case (.awaitingRevision(let reading), .change): return read(reading, in: catalog)
    case (.awaitingRevision(let reading), .deadline) where now >= reading.end:
      return end(reading.session, reading.rewrite.actions(label(reading.session, catalog)))
    case (.awaitingInitialState(let loading), .change(let change))
    where initialState.isAnswered(by: change, of: loading.session, in: catalog):
      return goOn(loading, in: catalog, at: now)
    case (.awaitingInitialState(let loading), .answer(let answer))
    where initialState.isRefused(by: answer):
      return goOn(loading, in: catalog, at: now)
    case (.awaitingInitialState(var loading), .deadline(let counters)):
      let progress = loading.clock.look(for: loading.session, counters, at: now)
      phase = .awaitingInitialState(loading)
      // The task can report something about row 0 even without its state.
      return progress ?? goOn(loading, in: catalog, at: now)
    default: return []
    }
  }

  private mutating func receive(
    _ answer: ResetAnswer, to question: AnswerReport.Question, from session: SessionID,
    in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    if case .dispatch(let actions) = task, case .answered(.rejected, _) = answer,
      let instance = catalog[session]
    {
      refusal = refusal ?? answer
      refusedCount += 1
      if refusedCount < actions.count {
        let command = HistoryCommand<UInt64>.dispatch(actions[refusedCount])
        return [.command(instance.session, command.bytes)]
      }
    }
    if let rewrite = RewriteReport(answer, to: question) {
      let reading = Reading(session: session, rewrite: rewrite, end: now + timeout)
      phase = .awaitingRevision(reading)
      return read(reading, in: catalog)
    }
    // Of several forms that an app cannot read, the likeliest one's refusal says most.
    let told = if case .answered(.rejected, _) = answer { refusal ?? answer } else { answer }
    return end(session, report(told, to: question, of: session, in: catalog))
  }

  private func report(
    _ answer: ResetAnswer, to question: AnswerReport.Question, of session: SessionID,
    in catalog: Catalog
  ) -> [CommandAction] {
    let isDriven = catalog[session]?.driver != nil
    return AnswerReport.actions(
      answer, to: question, label: label(session, catalog), isDriven: isDriven && !drives)
  }

  // MARK: The wheel

  /// Performs the actions that move the app, after taking the wheel if this viewer drives.
  private mutating func ask(
    _ question: AnswerReport.Question, of instance: Instance, _ actions: [CommandAction]
  ) -> [CommandAction] {
    guard drives else {
      phase = .awaitingAnswer(instance.session, question)
      return actions
    }
    guard instance.heartbeat.control.contains(.hasWheel) else {
      return fail(AnswerReport.hasNoWheel(instance.label))
    }
    phase = .takingWheel(instance.session, question, then: actions)
    return [.command(instance.session, Self.bytes(.take(over: true)))]
  }

  private mutating func take(
    _ answer: ResetAnswer, _ session: SessionID, _ question: AnswerReport.Question,
    then actions: [CommandAction], in catalog: Catalog
  ) -> [CommandAction] {
    guard case .answered(.applied, _) = answer else {
      phase = .ended
      return report(answer, to: .command(.drive(.take(over: true))), of: session, in: catalog)
    }
    phase = .awaitingAnswer(session, question)
    return actions
  }

  /// Performs the last actions, after giving back the wheel if this viewer has it.
  private mutating func end(
    _ session: SessionID, _ actions: [CommandAction]
  ) -> [CommandAction] {
    guard drives else {
      phase = .ended
      return actions
    }
    phase = .returningWheel(end: actions)
    return [.command(session, Self.bytes(.giveBack))]
  }

  private static func bytes(_ wish: WheelRequest) -> [UInt8] {
    HistoryCommand<UInt64>.drive(wish).bytes
  }

  private mutating func read(_ reading: Reading, in catalog: Catalog) -> [CommandAction] {
    guard let record = catalog[reading.session]?.timeline.row(reading.rewrite.revision)?.record
    else { return [] }
    return end(
      reading.session, reading.rewrite.actions(label(reading.session, catalog), told: record))
  }

  private mutating func find(in catalog: Catalog, at now: Duration) -> [CommandAction] {
    switch finder.look(in: catalog, at: now) {
    case .undecided: return []
    case .failed(let failure): return fail(failure)
    case .found(let instance):
      guard !task.movesApp || instance.heartbeat.acceptsResets else {
        return fail(AnswerReport.forbidden(instance.label))
      }
      return load(task.wish(for: instance), instance.session, in: catalog, at: now)
    }
  }

  private mutating func goOn(
    _ loading: Loading, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    var loading = loading
    loading.clock = clock(from: now)
    phase = .loading(loading)
    return work(loading, in: catalog, at: now)
  }

  /// An observer waits for a fixed time: rows keep arriving, but the wanted one may never come.
  private func clock(from now: Duration) -> ArrivalClock {
    ArrivalClock(timeout, from: now, isFixed: observes)
  }

  private mutating func load(
    _ wish: HistoryRequest?, _ session: SessionID, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    let loading = Loading(session: session, wish: wish, clock: clock(from: now))
    phase = .loading(loading)
    let actions = work(loading, in: catalog, at: now)
    guard case .loading = phase, let wish else { return actions }
    return [.follow(session, wish)] + actions
  }

  private mutating func load(
    _ loading: Loading, _ change: CatalogChange, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    var loading = loading
    switch change {
    case .gone(loading.session, _):
      return fail(Failure("\(label(loading.session, catalog)) is gone", advice: "statesurf list"))
    // An observer requests nothing, so what it wants may still arrive.
    case .caughtUp(loading.session): loading.isCaughtUp = !observes
    default: break
    }
    phase = .loading(loading)
    return work(loading, in: catalog, at: now)
  }

  private mutating func work(
    _ loading: Loading, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    let session = loading.session
    guard let instance = catalog[session] else { return [] }
    let isComplete = loading.isCaughtUp || loading.wish == nil
    let lookup = RowLookup(
      instance: instance, isComplete: isComplete, isAll: loading.wish == .all,
      mayAsk: initialState.mayAsk(instance))
    switch task.decide(lookup) {
    case .wait: return []
    case .loadAll: return load(.all, session, in: catalog, at: now)
    case .ask:
      var loading = loading
      loading.clock = clock(from: now)
      phase = .awaitingInitialState(loading)
      return [initialState.ask(session)]
    case .fail(let failure): return fail(failure)
    case .finish(let actions):
      phase = .ended
      return actions + [.exit(ExitCode.done)]
    case .take(let side):
      phase = .ended
      taken = side
      return []
    case .move(let target, let state, let file, let steps, let note):
      let step: AnswerReport.Question =
        if case .rewrite = task { .approximate } else { steps.map { .steps($0) } ?? .state }
      let reset = CommandAction.reset(session, target, state, from: file)
      return ask(step, of: instance, TargetTask.told(note) + [reset])
    case .command(let command):
      // The record of the revision contains the result.
      let mustFollow = command.replays && loading.wish == nil
      guard let question else { return send(command, to: instance, following: mustFollow) }
      phase = .asking(instance, command)
      let place = positionText(instance.timeline.position)
      let what = "\(question.verb) \(instance.label) at \(place)?"
      return [.ask("\(what) \(question.loss) [y/N] ")]
    }
  }

  private mutating func send(
    _ command: HistoryCommand<SequenceNumber>, to instance: Instance, following: Bool
  ) -> [CommandAction] {
    let follow: [CommandAction] = following ? [.follow(instance.session, .newestState)] : []
    return ask(
      .command(command), of: instance,
      follow + [.command(instance.session, command.map { $0.rawValue }.bytes)])
  }

  private mutating func fail(_ failure: Failure) -> [CommandAction] {
    phase = .ended
    return [.fail(failure)]
  }

  private func label(_ session: SessionID, _ catalog: Catalog) -> String {
    catalog[session]?.label ?? "the app"
  }
}
