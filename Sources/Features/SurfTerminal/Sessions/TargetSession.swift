import SurfControl
import SurfObserver
import SurfTimeline
import SurfWire

/// What a command does with one instance: find it, load the rows that it takes, read or move.
package struct TargetSession: CommandSession {
  private let task: TargetTask
  private var finder: Finder
  private let timeout: Duration
  /// Whether nothing can be asked for.
  private let observes: Bool
  /// Whether it takes the wheel before it moves the app, and gives it back then.
  private let drives: Bool
  private var phase = Phase.finding
  /// Whether row 0 was asked for.
  private var hasAsked = false
  /// What `.take` took, when the session is at its end.
  private(set) var taken: Taken?

  struct Taken {
    let session: SessionID
    let row: SequenceNumber
    /// Nil for an initial state that nobody tells.
    let state: Content?
  }

  private enum Phase {
    case finding
    case loading(Loading)
    /// The wheel is asked for; then comes what needs it.
    case taking(SessionID, AnswerReport.Question, then: [CommandAction])
    case asked(SessionID, AnswerReport.Question)
    /// All is done but that the wheel is given back; then comes the end.
    case leaving(end: [CommandAction])
    case reading(Reading)
    /// Row 0 is asked for; then the record that tells it is waited for.
    case describing(Loading)
    case ended
  }

  /// The answer is here; the record that says what came of it may still be on the way.
  private struct Reading {
    let session: SessionID
    let rewrite: RewriteReport
    let end: Duration
  }

  private struct Loading {
    let session: SessionID
    let wish: TargetTask.Wish
    var isCaughtUp = false
    var clock: ArrivalClock
  }

  package init(_ task: TargetTask, _ common: Invocation.Common) {
    self.task = task
    timeout = common.timeout
    observes = common.observes
    drives = common.drives
    finder = Finder(common)
  }

  package var deadline: Duration? {
    switch phase {
    case .finding: finder.deadline
    case .loading(let loading), .describing(let loading): loading.clock.due
    case .reading(let reading): reading.end
    case .taking, .asked, .leaving, .ended: nil
    }
  }

  package mutating func receive(
    _ change: CatalogChange, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    switch phase {
    case .finding: return find(in: catalog, at: now)
    case .loading(let loading): return load(loading, change, in: catalog, at: now)
    case .reading(let reading): return read(reading, in: catalog)
    case .describing(let loading): return learn(loading, change, in: catalog, at: now)
    case .taking, .asked, .leaving, .ended: return []
    }
  }

  package mutating func advance(
    to now: Duration, in catalog: Catalog, counters: ViewerCounters
  ) -> [CommandAction] {
    switch phase {
    case .finding: return find(in: catalog, at: now)
    case .loading(var loading):
      let look = loading.clock.look(for: loading.session, counters, at: now)
      phase = .loading(loading)
      if case .waits(let actions) = look { return actions }
      let label = label(loading.session, catalog)
      return fail(observes ? .notOverheard(label) : .rowsMissing(label))
    case .reading(let reading) where now >= reading.end:
      return end(reading.session, reading.rewrite.actions(label(reading.session, catalog)))
    case .describing(var loading):
      let look = loading.clock.look(for: loading.session, counters, at: now)
      phase = .describing(loading)
      if case .waits(let actions) = look { return actions }
      // Without it there is still what can be said of row 0.
      return goOn(loading, in: catalog, at: now)
    case .taking, .asked, .reading, .leaving, .ended: return []
    }
  }

  package mutating func receive(
    _ answer: ResetAnswer, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    if case .describing(let loading) = phase {
      if case .answered(.applied, _) = answer { return [] }
      return goOn(loading, in: catalog, at: now)
    }
    if case .taking(let session, let question, let actions) = phase {
      return take(answer, session, question, then: actions, in: catalog)
    }
    if case .leaving(let actions) = phase {
      phase = .ended
      return actions
    }
    guard case .asked(let session, let question) = phase else { return [] }
    if let rewrite = RewriteReport(answer, to: question) {
      let reading = Reading(session: session, rewrite: rewrite, end: now + timeout)
      phase = .reading(reading)
      return read(reading, in: catalog)
    }
    return end(session, report(answer, to: question, of: session, in: catalog))
  }

  private func report(
    _ answer: ResetAnswer, to question: AnswerReport.Question, of session: SessionID,
    in catalog: Catalog
  ) -> [CommandAction] {
    let isDriven = catalog[session]?.driver != nil
    return AnswerReport(
      answer, to: question, label: label(session, catalog), isDriven: isDriven && !drives
    ).actions
  }

  // MARK: The wheel

  /// Asks for what moves the app, once this viewer drives it.
  private mutating func ask(
    _ question: AnswerReport.Question, of instance: Instance, _ actions: [CommandAction]
  ) -> [CommandAction] {
    guard drives else {
      phase = .asked(instance.session, question)
      return actions
    }
    guard instance.heartbeat.control.contains(.hasWheel) else {
      return fail(AnswerReport.hasNoWheel(instance.label))
    }
    phase = .taking(instance.session, question, then: actions)
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
    phase = .asked(session, question)
    return actions
  }

  /// What comes last, behind giving back the wheel.
  private mutating func end(
    _ session: SessionID, _ actions: [CommandAction]
  ) -> [CommandAction] {
    guard drives else {
      phase = .ended
      return actions
    }
    phase = .leaving(end: actions)
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
    case .found(let instance): return begin(instance, in: catalog, at: now)
    }
  }

  private mutating func begin(
    _ instance: Instance, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    if task.movesApp, !instance.heartbeat.acceptsResets {
      return fail(AnswerReport.forbidden(instance.label))
    }
    return load(task.wish(for: instance), instance.session, in: catalog, at: now)
  }

  /// The record that answers comes among those that are followed.
  private mutating func describe(_ loading: Loading, at now: Duration) -> [CommandAction] {
    var loading = loading
    loading.clock = clock(from: now)
    hasAsked = true
    phase = .describing(loading)
    return [.command(loading.session, HistoryCommand<UInt64>.describe.bytes)]
  }

  private mutating func learn(
    _ loading: Loading, _ change: CatalogChange, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    guard case .rows(loading.session, let rows) = change,
      catalog[loading.session]?.timeline.tellsInitialState(in: rows) == true
    else { return [] }
    return goOn(loading, in: catalog, at: now)
  }

  private mutating func goOn(
    _ loading: Loading, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    var loading = loading
    loading.clock = clock(from: now)
    phase = .loading(loading)
    return work(loading, in: catalog, at: now)
  }

  /// Who observes waits for a fixed time: rows come all the while, and what is wanted may never.
  private func clock(from now: Duration) -> ArrivalClock {
    ArrivalClock(timeout, from: now, isFixed: observes)
  }

  private mutating func load(
    _ wish: TargetTask.Wish, _ session: SessionID, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    let loading = Loading(session: session, wish: wish, clock: clock(from: now))
    phase = .loading(loading)
    let actions = work(loading, in: catalog, at: now)
    guard case .loading = phase, case .rows(let history) = wish else { return actions }
    return [.follow(session, history)] + actions
  }

  private mutating func load(
    _ loading: Loading, _ change: CatalogChange, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    var loading = loading
    switch change {
    case .gone(loading.session, _):
      return fail(Failure("\(label(loading.session, catalog)) is gone", advice: "statesurf list"))
    // Who observes has not even begun then: what is wanted may still come by itself.
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
    // With nothing to load there is nothing to wait for.
    let isComplete = loading.isCaughtUp || loading.wish == .nothing
    let search = RowSearch(
      instance: instance, isComplete: isComplete, isAll: loading.wish == .all,
      mayAsk: !observes && !hasAsked && instance.heartbeat.control.contains(.takesCommands))
    switch task.decide(search) {
    case .wait: return []
    case .loadAll: return load(.all, session, in: catalog, at: now)
    case .ask: return describe(loading, at: now)
    case .fail(let failure): return fail(failure)
    case .finish(let actions):
      phase = .ended
      return actions + [.exit(ExitCode.done)]
    case .take(let row, let state):
      phase = .ended
      taken = Taken(session: session, row: row, state: state)
      return []
    case .move(let target, let state, let file):
      return ask(
        task.isRewrite ? .approximate : .state, of: instance,
        [.reset(session, target, state, from: file)])
    case .command(let command):
      // The record that it makes tells what it comes to.
      let mustFollow = command.replays && loading.wish == .nothing
      let follow: [CommandAction] = mustFollow ? [.follow(session, .newestState)] : []
      return ask(
        .command(command), of: instance,
        follow + [.command(session, command.map { $0.rawValue }.bytes)])
    }
  }

  private mutating func fail(_ failure: Failure) -> [CommandAction] {
    phase = .ended
    return [.fail(failure)]
  }

  private func label(_ session: SessionID, _ catalog: Catalog) -> String {
    catalog[session]?.label ?? "the app"
  }
}
