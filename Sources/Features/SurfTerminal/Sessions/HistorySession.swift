import SurfObserver
import SurfTimeline
import SurfWire

/// Runs `find`, `trace` and `report`: finds an instance, loads all rows that it still has, and then
/// lets a `HistoryTask` work on them.
package struct HistorySession: CommandSession {
  private var task: any HistoryTask
  private var finder: Finder
  /// How long to wait for more of the app's past.
  private let timeout: Duration
  private var phase = Phase.finding
  /// The time of the last call.
  private var now = Duration.zero

  private enum Phase {
    case finding
    case loading(SessionID, ArrivalClock)
    case working(SessionID)
    case ended
  }

  package init(_ task: any HistoryTask, _ common: Invocation.Common) {
    self.task = task
    timeout = common.timeout
    finder = Finder(common)
  }

  package var deadline: Duration? {
    switch phase {
    case .finding: finder.deadline
    case .loading(_, let clock): clock.due
    case .working: now
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
    case .ended: return []
    }
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
    phase = .ended
    let omission = EmptyAnswer.omission(in: instance.timeline).map { [$0] } ?? []
    return [.status(nil)] + work.actions + omission + [.exit(exitCode)]
  }
}

/// A command that a `HistorySession` runs.
package protocol HistoryQuestion: SessionCommand {
  func task(_ layout: Layout) -> any HistoryTask
}

extension HistoryQuestion {
  package func session(on stage: Stage) -> any CommandSession {
    HistorySession(task(stage.layout), stage.common)
  }
}

/// The work of a command on a loaded history. It is done in parts, so that a signal can end it.
package protocol HistoryTask {
  /// Does the next part, which takes some milliseconds.
  mutating func work(on instance: Instance) -> HistoryWork
}

/// The result of one part.
package struct HistoryWork {
  var actions: [CommandAction] = []
  /// Nil while more is left to do.
  var exitCode: Int32?
  /// How many rows are left, for the status line.
  var leftCount = 0
}
