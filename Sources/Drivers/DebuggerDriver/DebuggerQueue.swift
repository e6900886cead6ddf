import SurfDebugger
import SurfThreads
import SurfWire

/// Passes events from other threads to the thread that runs a debugger. Merges new rows into
/// ranges, so it stays small, and no sender waits for a slow terminal.
package final class DebuggerQueue: Sendable {
  private struct Contents {
    var rows: [SessionID: SequenceRanges] = [:]
    var hasNews = false
    var events: [DebuggerEvent] = []
    var ending: DebuggerEnding?

    var isEmpty: Bool { rows.isEmpty && !hasNews && events.isEmpty && ending == nil }
  }

  private let contents = Monitor(Contents())
  private let waker: Waker

  /// - Parameter waker: wakes the thread that calls `takeAll`.
  package init(waker: Waker) { self.waker = waker }

  package var isEmpty: Bool { contents.withLock { $0.isEmpty } }

  /// Why the debugger must end; nil if it need not.
  package var ending: DebuggerEnding? { contents.withLock { $0.ending } }

  package func push(_ event: DebuggerEvent) {
    let mustWake = contents.withLock { contents in
      let wasEmpty = contents.isEmpty
      switch event {
      case .rows(let app, let rows): contents.rows[app, default: SequenceRanges()].insert(rows)
      case .news: contents.hasNews = true
      default:
        // A person is waiting for these.
        contents.events.append(event)
        return true
      }
      return wasEmpty
    }
    if mustWake { waker.wake() }
  }

  /// Only the first call counts.
  package func end(_ ending: DebuggerEnding) {
    contents.withLock { $0.ending = $0.ending ?? ending }
    waker.wake()
  }

  package func takeAll() -> [DebuggerEvent] {
    let taken = contents.withLock { contents in
      defer { (contents.rows, contents.hasNews, contents.events) = ([:], false, []) }
      return contents
    }
    let rows = taken.rows.flatMap { app, ranges in
      ranges.runs.map { DebuggerEvent.rows(app, $0) }
    }
    return rows + (taken.hasNews ? [.news] : []) + taken.events
  }
}

/// Why a debugger ended.
package enum DebuggerEnding: Equatable, Sendable {
  /// The person or the surrounding program closed it.
  case closed
  case signal(Int32)
}
