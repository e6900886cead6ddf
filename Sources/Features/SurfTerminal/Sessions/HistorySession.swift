import SurfObserver
import SurfTimeline
import SurfWire

/// Runs `find`, `trace` and `report`: finds an instance, loads all rows that it still has, and then
/// lets a `HistoryTask` work on them. With `--follow` it goes on with the rows that come.
package struct HistorySession: CommandSession {
  private var task: any HistoryTask
  private var finder: Finder
  /// How long to wait for more of the app's past.
  private let timeout: Duration
  private var phase = Phase.finding
  /// When a command that follows ends.
  private let end: Duration?
  /// The time of the last call.
  private var now = Duration.zero

  private enum Phase {
    case finding
    case loading(SessionID, ArrivalClock)
    case working(SessionID)
    case following(Following)
    case ended
  }

  private struct Following {
    let session: SessionID
    /// What the command ends with.
    var exitCode: Int32
    /// When to look at rows that have come; nil if none have.
    var due: Duration?
    /// When the task may look again.
    var rest = Duration.zero
  }

  package init(_ task: any HistoryTask, _ common: Invocation.Common, end: Duration? = nil) {
    self.task = task
    self.end = end
    timeout = common.timeout
    finder = Finder(common)
  }

  package var deadline: Duration? {
    switch phase {
    case .finding: finder.deadline
    case .loading(_, let clock): clock.due
    case .working: now
    case .following(let following): [following.due, end].compactMap(\.self).min()
    case .ended: nil
    }
  }

  package mutating func receive(
    _ change: CatalogChange, in catalog: Catalog, at now: Duration
  ) -> [CommandAction] {
    self.now = now
    switch phase {
    case .finding: return find(in: catalog, at: now)
    case .loading(let session, _):
      // Nothing more comes from an app that is gone.
      switch change {
      case .caughtUp(session), .gone(session, _): phase = .working(session)
      default: break
      }
    case .following(var following):
      switch change {
      case .rows(following.session, _): following.due = following.due ?? max(now, following.rest)
      case .gone(following.session, _): return finish(following, in: catalog)
      default: break
      }
      phase = .following(following)
    case .working, .ended: break
    }
    return []
  }

  package mutating func advance(
    to now: Duration, in catalog: Catalog, counters: ViewerCounters
  ) -> [CommandAction] {
    self.now = now
    switch phase {
    case .finding: return find(in: catalog, at: now)
    case .loading(let session, var clock):
      switch clock.look(for: session, counters, at: now) {
      case .waits(let actions):
        phase = .loading(session, clock)
        return actions
      case .over:
        phase = .ended
        return [.fail(.rowsMissing(catalog[session]?.label ?? "the app"))]
      }
    case .working(let session): return work(on: session, in: catalog)
    case .following(let following):
      if let end, now >= end { return finish(following, in: catalog) }
      return goOn(following, in: catalog)
    case .ended: return []
    }
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

  /// Prints what has come since the last look, and ends.
  private mutating func finish(_ following: Following, in catalog: Catalog) -> [CommandAction] {
    var following = following
    var actions: [CommandAction] = []
    following.due = following.due.map { _ in now }
    while following.due != nil {
      actions += goOn(following, in: catalog)
      guard case .following(let next) = phase, catalog[following.session] != nil else { break }
      following = next
    }
    phase = .ended
    return actions + [.exit(following.exitCode)]
  }

  private mutating func find(in catalog: Catalog, at now: Duration) -> [CommandAction] {
    switch finder.look(in: catalog, at: now) {
    case .undecided: return []
    case .failed(let failure):
      phase = .ended
      return [.fail(failure)]
    case .found(let instance):
      phase = .loading(instance.session, ArrivalClock(timeout, from: now))
      return [.follow(instance.session, .since(1))]
    }
  }

  private mutating func work(on session: SessionID, in catalog: Catalog) -> [CommandAction] {
    guard let instance = catalog[session] else { return [] }
    let work = task.work(on: instance)
    guard let exitCode = work.exitCode else {
      return work.actions + [.status(Line("\(work.leftCount) rows to look at", .dim))]
    }
    let omission = EmptyAnswer.omission(in: instance.timeline).map { [$0] } ?? []
    let shown = [.status(nil)] + work.actions + omission
    guard task.follows else {
      phase = .ended
      return shown + [.exit(exitCode)]
    }
    // Rows may have come during the work.
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

/// The work of a command on a loaded history. It is done in parts, so that a signal can end it.
package protocol HistoryTask {
  /// Does the next part, which takes some milliseconds.
  mutating func work(on instance: Instance) -> HistoryWork
  /// Whether to go on with the rows that come.
  var follows: Bool { get }
  /// How long to rest between two looks at rows that come.
  var pause: Duration { get }
  /// Does the next part on rows that came after the work was done.
  mutating func goOn(with instance: Instance) -> HistoryWork
}

extension HistoryTask {
  package var pause: Duration { .zero }
}

/// The result of one part.
package struct HistoryWork {
  var actions: [CommandAction] = []
  /// Nil while more is left to do.
  var exitCode: Int32?
  /// How many rows are left, for the status line.
  var leftCount = 0
}
