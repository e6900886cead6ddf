import JSONTools
import JSONTree
import SurfDebugger
import SurfThreads
import SurfWire

/// Reads watched places in the states of rows: small states at once, large ones on another thread,
/// row by row. A new request replaces what is left of the last one.
final class WatchReader: Sendable {
  private let source: any HistorySource
  private let queue: DebuggerQueue
  private let state = Monitor(State())

  private struct State {
    var waiting: WatchRequest?
    var isBusy = false
  }

  /// Octets that take a few milliseconds to parse.
  private static let sizeMaxAtOnce = 256 << 10

  init(_ source: any HistorySource, _ queue: DebuggerQueue) {
    self.source = source
    self.queue = queue
  }

  /// Returns the rows if all are small. Otherwise returns none, and pushes them onto the queue
  /// later.
  func read(_ request: WatchRequest) -> [WatchedRow] {
    let size = source.read { catalog in
      request.rows.reduce(0) {
        $0 + (catalog[request.session]?.timeline.row($1)?.stateSize ?? 0)
      }
    }
    guard size > Self.sizeMaxAtOnce else {
      state.withLock { $0.waiting = nil }
      return readAll(request)
    }
    let mustStart = state.withLock { state in
      state.waiting = request
      defer { state.isBusy = true }
      return !state.isBusy
    }
    return mustStart && !start() ? readAll(request) : []
  }

  private func start() -> Bool {
    do throws(ThreadError) {
      // Parsing deep states recurses.
      _ = try Thread.start(name: "statesurf-watch", stackSize: 8 << 20) { [self] in work() }
      return true
    } catch {
      state.withLock { $0 = State() }
      return false
    }
  }

  private func work() {
    // Neighbours have much in common. That is not parsed again.
    var reader = JSONRereader()
    while let request = next() {
      for row in request.rows {
        queue.push(.watched([WatchedRow(request, row, state: state(of: row, request, &reader))]))
        if state.withLock({ $0.waiting != nil }) { break }
      }
    }
  }

  private func next() -> WatchRequest? {
    state.withLock { state in
      defer { state.waiting = nil }
      state.isBusy = state.waiting != nil
      return state.waiting
    }
  }

  private func readAll(_ request: WatchRequest) -> [WatchedRow] {
    var reader = JSONRereader()
    return request.rows.map { WatchedRow(request, $0, state: state(of: $0, request, &reader)) }
  }

  /// Copies the state under the lock and parses it outside of it.
  private func state(
    of row: SequenceNumber, _ request: WatchRequest, _ reader: inout JSONRereader
  ) -> JSON? {
    let content = source.read {
      $0[request.session]?.timeline.state(at: Position(wire: row))
    }
    guard let content, case .value(let json, _, _) = reader.read(content.bytes) else { return nil }
    return json
  }
}
