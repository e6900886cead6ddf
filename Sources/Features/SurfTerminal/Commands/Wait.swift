import JSONTree
import SurfObserver
import SurfQuery
import SurfTimeline
import SurfViewer
import SurfWire

extension Subcommand {
  static let wait = Self(
    "wait", in: .ask, "Wait until a row matches a query", positionals: [.query],
    options: [.instance, .duration, .sequel, .json], moving: OptionName.moving,
    examples: [
      ("wait becomes route is /checkout --for 30", "half a minute, for a script"),
      ("wait count over 10 --then pause", "and then stop recording"),
      ("wait user missing --then back --json", "and undo it"),
      ("wait name:done --then -- ./notify done", "and start a program"),
    ],
    notes: [
      "Prints the row, and the old and new values at the query's places. A query about states",
      "alone may match at once; one with fields or texts is about rows to come.",
      "A program after `--then --` takes its place, and finds STATESURF_INSTANCE and",
      "STATESURF_ROW in its environment.",
      "Exits with 0 when a row matches, 1 if the app leaves first, 2 if time runs out, and with",
      "126 or 127 if the program cannot be started.",
    ], makes: WaitOptions.init)
}

package struct WaitOptions: SessionCommand {
  let query: Query
  /// Nil to wait forever.
  let patience: Duration?
  /// What to do once a row matches.
  let sequel: FollowUp?
  let json: Bool

  enum FollowUp: Equatable {
    case task(Task)
    /// A program and its arguments, which replaces this process.
    case program([String])
  }

  enum Task: Equatable {
    case back, pause, lock
    /// Saves the state of the row to a path.
    case save(String)

    /// Parses `back`, `pause`, `lock` or `save FILE`; nil for anything else.
    init?(_ text: String) {
      switch text {
      case "back": self = .back
      case "pause": self = .pause
      case "lock": self = .lock
      default:
        let path = text.hasPrefix("save ") ? text.dropFirst(5) : ""
        guard !path.isEmpty else { return nil }
        self = .save(String(path))
      }
    }
  }

  init(_ words: Words) throws(Failure) {
    query = try QueryWords.query(words.positionals)
    patience = words.duration(.duration)
    sequel = try Self.sequel(words)
    json = words.has(.json)
  }

  private static func sequel(_ words: Words) throws(Failure) -> FollowUp? {
    switch words.options[.sequel] {
    case .texts(let program):
      guard !program.isEmpty else { throw words.misuse("'--then --' needs a program") }
      return .program(program)
    case .text(let text):
      guard let task = Task(text) else {
        throw words.misuse(
          "'--then' must be back, pause, lock, 'save FILE' or '-- PROGRAM', not '\(text)'")
      }
      return .task(task)
    default: return nil
    }
  }

  package func session(on stage: Stage) -> any CommandSession {
    WaitSession(self, stage.common, stage.layout)
  }
}

/// `statesurf wait`: waits until a row matches a query. Then it prints what changed, does what
/// `--then` asks for, and ends.
package struct WaitSession: CommandSession {
  private let options: WaitOptions
  private let layout: Layout
  private let common: Invocation.Common
  private var finder: Finder
  private var phase = Phase.finding

  private enum Phase {
    case finding
    case waiting(Waiting)
    /// A row matched, and this session does what `--then` asks for.
    case following(TargetSession)
    /// The same for `lock`. The app may have gone on since, and must then be put back.
    case stopping(Stop)
    case ended
  }

  /// Locks the app wherever it is by then, and puts it back to the row that met the query. The app
  /// does not evaluate the query itself, so a watchpoint costs it nothing.
  private struct Stop {
    let row: SequenceNumber
    let instance: Instance
    var session: TargetSession
    /// Where the app was when it was locked.
    var lockedAt: Position?
    var isLocked = false
  }

  private struct Waiting {
    let session: SessionID
    /// Nil to wait forever.
    let end: Duration?
    /// The newest row when the wait began. Of this row and older ones, only the one where the app
    /// was then counts, and only for a query about states alone.
    let past: SequenceNumber
    let place: Position
    /// Whether that row was asked for: the newest state comes without a request.
    var hasAsked = false
    /// Until when to hold new rows back for older ones; nil once those have arrived.
    var begin: Duration?
    var filter: LiveFilter
    var next: SequenceNumber = 0
  }

  package init(_ options: WaitOptions, _ common: Invocation.Common, _ layout: Layout) {
    (self.options, self.common, self.layout) = (options, common, layout)
    finder = Finder(common)
  }

  package var deadline: Duration? {
    switch phase {
    case .finding: finder.deadline
    case .waiting(let waiting): [waiting.begin, waiting.end].compactMap(\.self).min()
    case .following(let session): session.deadline
    case .stopping(let stop): stop.session.deadline
    case .ended: nil
    }
  }

  package mutating func receive(
    _ event: SessionEvent, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    switch phase {
    case .finding: return find(in: catalog, at: now)
    case .waiting(let waiting): return wait(waiting, event, in: catalog, at: now)
    case .following(var session):
      let actions = session.receive(event, in: catalog, at: now)
      phase = .following(session)
      return actions
    case .stopping(var stop):
      if !stop.isLocked, case .answer(.answered(.applied, let position)) = event {
        stop.lockedAt = position
      }
      let actions = stop.session.receive(event, in: catalog, at: now)
      phase = .stopping(stop)
      return actions.contains(.exit(ExitCode.done))
        ? goOn(stop, actions, in: catalog, at: now) : actions
    case .ended: return []
    }
  }

  private mutating func find(in catalog: Catalog, at now: Duration) -> [CommandAction] {
    switch finder.look(in: catalog, at: now) {
    case .undecided: return []
    case .failed(let failure): return fail(failure)
    case .found(let instance):
      phase = .waiting(
        Waiting(
          session: instance.session, end: options.patience.map { now + $0 },
          past: instance.timeline.newestNumber, place: instance.timeline.position,
          begin: now + common.timeout,
          filter: LiveFilter(options.query, secondsFromGMT: layout.secondsFromGMT)))
      return EmptyAnswer.meant(by: options.query) + [.follow(instance.session, .newestState)]
    }
  }

  private mutating func wait(
    _ waiting: Waiting, _ event: SessionEvent, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    switch event {
    case .change(.gone(waiting.session, _)):
      if let hit = lastLook(waiting, in: catalog, at: now) { return hit }
      let label = catalog[waiting.session]?.label ?? "the app"
      return fail(Failure("\(label) is gone", meaning: "No row matched the query before."))
    case .change(.caughtUp(waiting.session)) where waiting.begin != nil:
      return begin(waiting, in: catalog, at: now)
    case .change(.rows(waiting.session, _)) where waiting.begin == nil:
      return look(waiting, in: catalog, at: now)
    case .deadline:
      if let begin = waiting.begin, now >= begin {
        return self.begin(waiting, in: catalog, at: now)
      }
      guard let end = waiting.end, now >= end else { return [] }
      if let hit = lastLook(waiting, in: catalog, at: now) { return hit }
      return fail(
        Failure(
          "no row matched the query in time", meaning: "\(options.query)",
          exitCode: ExitCode.unanswered))
    default: return []
    }
  }

  /// At the end, examines rows that are still held back.
  private mutating func lastLook(
    _ waiting: Waiting, in catalog: Catalog, at now: Duration
  ) -> [CommandAction]? {
    guard waiting.begin != nil else { return nil }
    var waiting = waiting
    // The answer to a request would come too late.
    waiting.hasAsked = true
    let actions = begin(waiting, in: catalog, at: now)
    if case .waiting = phase { return nil }
    return actions
  }

  private mutating func begin(
    _ waiting: Waiting, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    var waiting = waiting
    waiting.begin = nil
    guard let timeline = catalog[waiting.session]?.timeline, !options.query.asksRows else {
      return look(waiting, in: catalog, at: now)
    }
    // A later row is judged like any new one.
    let place = waiting.place.row ?? 0
    let isPast = place <= waiting.past
    if place > 0, isPast, timeline.row(place) == nil, !waiting.hasAsked {
      (waiting.hasAsked, waiting.begin) = (true, now + common.timeout)
      phase = .waiting(waiting)
      return [.follow(waiting.session, .since(place))]
    }
    let actions = look(waiting, in: catalog, at: now)
    guard case .waiting = phase else { return actions }
    let isHere = !isPast || timeline.row(place)?.holdsState == true || timeline.newestNumber == 0
    return actions + EmptyAnswer.absent(options.query.places, in: timeline.newestJSON())
      + (isHere ? [] : [.complain(Self.noPresent)])
  }

  private mutating func look(
    _ waiting: Waiting, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    guard let instance = catalog[waiting.session] else { return [] }
    var waiting = waiting
    let hit = hit(&waiting, in: instance)
    phase = .waiting(waiting)
    return hit.map { finish($0, instance, in: catalog, at: now) } ?? []
  }

  /// The first row that matches the query.
  private func hit(
    _ waiting: inout Waiting, in instance: Instance
  ) -> (row: Row, subject: QuerySubject)? {
    let rows = instance.timeline.rows
    for row in rows[instance.timeline.firstIndex(from: waiting.next)...] {
      waiting.next = row.number.next
      let isPresent = !options.query.asksRows && row.number == waiting.place.row
      guard row.number > waiting.past || isPresent else { continue }
      if let subject = waiting.filter.subject(row, of: instance) { return (row, subject) }
    }
    return nil
  }

  private mutating func finish(
    _ hit: (row: Row, subject: QuerySubject), _ instance: Instance, in catalog: Catalog,
    at now: Duration
  ) -> [CommandAction] {
    let shown = show(hit, instance)
    switch options.sequel {
    case nil:
      phase = .ended
      return shown + [.exit(ExitCode.done)]
    case .program(let words):
      phase = .ended
      let successor = Successor(words: words, instance: instance.id, row: hit.row.number)
      return shown + [.give(successor)]
    case .task(let task):
      guard let target = target(of: task, at: hit.row, in: instance) else {
        return shown
          + fail(
            Failure(
              "\(instance.label) has no row before row \(hit.row.number) to go back to",
              meaning: "Where the app was before is not known here, or no row has its state."))
      }
      let session = session(target, for: instance)
      phase =
        task == .lock
        ? .stopping(Stop(row: hit.row.number, instance: instance, session: session))
        : .following(session)
      return shown + receive(.deadline(ViewerCounters()), in: catalog, at: now)
    }
  }

  /// A session that finds the instance by its id.
  private func session(_ target: TargetTask, for instance: Instance) -> TargetSession {
    var common = common
    common.instance = instance.id.description
    return TargetSession(target, common)
  }

  /// Nil for a step back from a row whose parent is not a known row.
  private func target(
    of task: WaitOptions.Task, at row: Row, in instance: Instance
  ) -> TargetTask? {
    switch task {
    // Back from that row, even if the app has gone on.
    case .back: instance.timeline.parent(of: row)?.row.map { .jump(.number($0)) }
    case .pause: .rewrite(.pause(true))
    case .lock: .rewrite(.lock(true))
    case .save(let path): .save(.number(row.number), to: path)
    }
  }

  private func show(
    _ hit: (row: Row, subject: QuerySubject), _ instance: Instance
  ) -> [CommandAction] {
    if options.json { return [.printBytes(EventJSON.line(hit.row, of: instance))] }
    let changes = options.query.places.flatMap { hit.subject.changes(at: $0) }
    let lines = changes.prefix(Self.changeCountMax).map { change in
      let unknown = hit.subject.before == nil ? "?" : "–"
      let values = "\(change.old?.text() ?? unknown) → \(change.new?.text() ?? "–")"
      return Line([Span("    \(change.place)", .accent), Span(": \(values)")])
    }
    return [.print(layout.line(hit.row, of: instance))]
      + lines.map { .print(layout.shown($0)) }
  }

  private static let changeCountMax = 20
  private static let noPresent =
    "no row here holds the app's current state, so only later rows are checked"

  /// Called when the app is locked, and again when it is put back.
  private mutating func goOn(
    _ stop: Stop, _ actions: [CommandAction], in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    guard let lockedAt = stop.lockedAt, lockedAt != .record(stop.row) else { return actions }
    var stop = stop
    guard !stop.isLocked else {
      let (label, past) = (stop.instance.label, positionText(lockedAt))
      return [
        .print(
          Line(
            "\(label) is at row \(stop.row) (locked; it had gone on to \(past))")),
        .exit(ExitCode.done),
      ]
    }
    stop.isLocked = true
    stop.session = session(.jump(.number(stop.row)), for: stop.instance)
    phase = .stopping(stop)
    return receive(.deadline(ViewerCounters()), in: catalog, at: now)
  }

  private mutating func fail(_ failure: Failure) -> [CommandAction] {
    phase = .ended
    return [.fail(failure)]
  }
}
