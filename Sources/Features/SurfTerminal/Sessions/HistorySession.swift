import SurfObserver
import SurfTimeline
import SurfViewer
import SurfWire

/// Runs `find`, `trace` and `report`: finds an instance, and lets a `HistoryTask` work on its
/// history while that arrives. With `--follow` it continues with new rows.
package struct HistorySession: CommandSession {
  private var task: any HistoryTask
  private var finder: Finder
  /// How long to wait for more of the app's past.
  private let timeout: Duration
  private var phase = Phase.finding
  /// Whether there are rows that the task has not looked at.
  private var hasWork = false
  /// Whether the task needs the initial state, which a row on the way may contain.
  private var awaitsAll = false
  private var initialState: InitialStateQuestion
  /// When a command that follows ends.
  private let end: Duration?
  /// The time of the last call.
  private var now = Duration.zero

  /// Rows that arrive in less than a tenth of a second. If no more are on their way, the task waits
  /// for them: the initial state may be among them, and all viewers see an answer of the app.
  private static let soonCount: WireCount = 16_384

  private enum Phase {
    case finding
    case reading(SessionID, HistoryReading, ArrivalClock)
    /// The app was asked for its initial state, and answers with a row.
    case asking(SessionID, HistoryReading, ArrivalClock)
    case following(Following)
    case ended
  }

  private struct Following {
    let session: SessionID
    /// How the command ends.
    var exitCode: Int32
    /// When to look at new rows; nil without any.
    var due: Duration?
    /// When the task may look again.
    var rest = Duration.zero
  }

  package init(_ task: any HistoryTask, _ common: Invocation.Common, end: Duration? = nil) {
    self.task = task
    self.end = end
    timeout = common.timeout
    finder = Finder(common)
    initialState = InitialStateQuestion(common)
  }

  package var deadline: Duration? {
    switch phase {
    case .finding: finder.deadline
    case .reading(_, _, let clock): hasWork ? now : clock.due
    case .asking(_, _, let clock): clock.due
    case .following(let following): [following.due, end].compactMap(\.self).min()
    case .ended: nil
    }
  }

  package mutating func receive(
    _ event: SessionEvent, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    self.now = now
    switch (phase, event) {
    case (.finding, _): return find(in: catalog)
    case (.reading(let session, var reading, let clock), .change(let change)):
      switch change {
      case .rows(session, _), .lost(session, _): break
      case .caughtUp(session): reading.isComplete = true
      // An app that is gone sends nothing more.
      case .gone(session, _): reading.isEnded = true
      default: return []
      }
      hasWork = !awaitsAll || reading.isComplete || reading.isEnded
      phase = .reading(session, reading, clock)
    case (.reading(let session, let reading, var clock), .deadline(let counters)):
      guard let instance = catalog[session] else { return fail(.rowsMissing("the app")) }
      var actions: [CommandAction] = []
      if !reading.isComplete, !reading.isEnded {
        guard let progress = clock.look(for: session, counters, at: now) else {
          return fail(.rowsMissing(instance.label))
        }
        actions = progress
      }
      phase = .reading(session, reading, clock)
      return actions + work(on: instance)
    case (.asking(let session, var reading, let clock), .change(let change)):
      if case .caughtUp(session) = change { reading.isComplete = true }
      if case .gone(session, _) = change { reading.isEnded = true }
      phase = .asking(session, reading, clock)
      if reading.isEnded || initialState.isAnswered(by: change, of: session, in: catalog) {
        resume(session, reading)
      }
    case (.asking(let session, let reading, _), .answer(let answer))
    where initialState.isRefused(by: answer):
      resume(session, reading)
    case (.asking(let session, let reading, var clock), .deadline(let counters)):
      if let progress = clock.look(for: session, counters, at: now) {
        phase = .asking(session, reading, clock)
        return progress
      }
      resume(session, reading)
    case (.following(var following), .change(let change)):
      switch change {
      case .rows(following.session, _): following.due = following.due ?? max(now, following.rest)
      case .gone(following.session, _): return finish(following, in: catalog)
      default: break
      }
      phase = .following(following)
    case (.following(let following), .deadline):
      let isOver = end.map { now >= $0 } ?? false
      return isOver || !catalog.contains(following.session)
        ? finish(following, in: catalog) : goOn(following, in: catalog)
    default: break
    }
    return []
  }

  private mutating func resume(_ session: SessionID, _ reading: HistoryReading) {
    hasWork = true
    phase = .reading(session, reading, ArrivalClock(timeout, from: now))
  }

  private mutating func fail(_ failure: Failure) -> [CommandAction] {
    phase = .ended
    return [.fail(failure)]
  }

  private mutating func goOn(_ following: Following, in catalog: Catalog) -> [CommandAction] {
    guard let due = following.due, now >= due, let instance = catalog[following.session] else {
      return []
    }
    var following = following
    let work = task.goOn(with: instance)
    if let exitCode = work.exitCode {
      (following.exitCode, following.due) = (exitCode, nil)
      following.rest = now + task.pause
    }
    phase = .following(following)
    return work.actions
  }

  /// Prints what has arrived since the last look, and ends.
  private mutating func finish(_ following: Following, in catalog: Catalog) -> [CommandAction] {
    var following = following
    var actions: [CommandAction] = []
    following.due = following.due.map { _ in now }
    while following.due != nil {
      actions += goOn(following, in: catalog)
      guard case .following(let next) = phase, catalog.contains(following.session) else { break }
      following = next
    }
    phase = .ended
    return actions + [.exit(following.exitCode)]
  }

  private mutating func find(in catalog: Catalog) -> [CommandAction] {
    switch finder.look(in: catalog, at: now) {
    case .undecided: return []
    case .failed(let failure): return fail(failure)
    case .found(let instance):
      let reading = HistoryReading(
        newestFirst: task.isNewestFirst, newest: instance.timeline.newestNumber)
      phase = .reading(instance.session, reading, ArrivalClock(timeout, from: now))
      return [.follow(instance.session, reading.request)]
    }
  }

  private mutating func work(on instance: Instance) -> [CommandAction] {
    guard hasWork, case .reading(let session, var reading, let clock) = phase else { return [] }
    var settled = reading.settled(in: instance.timeline)
    settled.mayAskInitialState =
      !reading.isEnded && instance.timeline.initialState == nil && initialState.mayAsk(instance)
    phase = .reading(session, reading, clock)
    guard settled.isAll || !settled.range.isEmpty else {
      hasWork = false
      return reading.isComplete ? widen(reading, session, instance.timeline) : []
    }
    let work = task.work(on: instance, settled)
    if work.needsInitialState {
      hasWork = false
      awaitsAll = !reading.isComplete && isNearlyHere(instance.timeline)
      if awaitsAll { return [] }
      phase = .asking(session, reading, ArrivalClock(timeout, from: now))
      return [initialState.ask(session)]
    }
    if let exitCode = work.exitCode {
      return answer(with: work, about: settled, exitCode, of: session)
    }
    hasWork = work.leftCount > 0 || settled.isAll
    if settled.isAll {
      return work.actions + [.status(Line("\(countText(work.leftCount, "row")) to look at", .dim))]
    }
    guard !hasWork, reading.isComplete else { return work.actions }
    return work.actions + widen(reading, session, instance.timeline)
  }

  private func isNearlyHere(_ timeline: Timeline) -> Bool {
    let rowCount = SequenceNumber(UInt64(timeline.rows.count))
    return rowCount.distance(to: timeline.newestNumber) <= Self.soonCount
  }

  /// Requests an older part, if there is one.
  private mutating func widen(
    _ reading: HistoryReading, _ session: SessionID, _ timeline: Timeline
  ) -> [CommandAction] {
    var reading = reading
    guard reading.widen(timeline) else { return [] }
    phase = .reading(session, reading, ArrivalClock(timeout, from: now))
    return [.follow(session, reading.request)]
  }

  private mutating func answer(
    with work: HistoryWork, about settled: SettledRows, _ exitCode: Int32, of session: SessionID
  ) -> [CommandAction] {
    let all = 1..<max(1, settled.range.upperBound)
    let omission = EmptyAnswer.omission(of: work.answered ?? all, visited: work.visitedCount)
    let shown = [.status(nil)] + work.actions + (omission.map { [$0] } ?? [])
    guard task.follows else {
      phase = .ended
      return shown + [.exit(exitCode)]
    }
    // Rows may have arrived during the work.
    phase = .following(
      Following(session: session, exitCode: exitCode, due: now, rest: now + task.pause))
    return shown
  }
}

/// A command that a `HistorySession` runs.
package protocol HistoryQuestion: SessionCommand {
  func task(_ layout: Layout) -> any HistoryTask
  /// When a command that follows ends; nil for never.
  var end: Duration? { get }
}

extension HistoryQuestion {
  package func session(on stage: Stage) -> any CommandSession {
    HistorySession(task(stage.layout), stage.common, end: end)
  }
}

/// The work of a command on a history. It is done in parts, so that a signal can end it, and more
/// of the history can arrive.
package protocol HistoryTask {
  /// Whether to look at the newest rows first, and to load older ones only if those do not answer.
  var isNewestFirst: Bool { get }
  /// Does the next part, which takes some milliseconds. It leaves alone rows that are not settled.
  mutating func work(on instance: Instance, _ settled: SettledRows) -> HistoryWork
  /// Whether to continue with new rows.
  var follows: Bool { get }
  /// How long to rest between two looks at new rows.
  var pause: Duration { get }
  /// Does the next part on rows that arrived after the work was done.
  mutating func goOn(with instance: Instance) -> HistoryWork
}

extension HistoryTask {
  package var isNewestFirst: Bool { false }
  package var pause: Duration { .zero }
}

/// The result of one part.
package struct HistoryWork {
  var actions: [CommandAction] = []
  /// Nil while more is left to do, or may arrive.
  var exitCode: Int32?
  /// Whether the task waits for the app's initial state, and will do the same part again.
  var needsInitialState = false
  /// How many settled rows are left, for the status line.
  var leftCount = 0
  /// The rows that the answer is about; nil for all.
  var answered: Range<SequenceNumber>?
  /// How many of these it has looked at.
  var visitedCount = 0
}
