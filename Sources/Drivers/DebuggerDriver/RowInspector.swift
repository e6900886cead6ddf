import SurfDebugger
import SurfThreads
import SurfWire

/// Decodes rows for the detail pane: small ones at once, large ones on another thread. Of waiting
/// requests, it keeps only the newest.
final class RowInspector: Sendable {
  private let source: any HistorySource
  private let queue: DebuggerQueue
  private let state = Monitor(State())

  private struct State {
    var waiting: InspectionRequest?
    var isBusy = false
  }

  /// Octets that take a few milliseconds to parse and compare.
  private static let sizeMaxAtOnce = 256 << 10

  init(_ source: any HistorySource, _ queue: DebuggerQueue) {
    self.source = source
    self.queue = queue
  }

  /// Returns the contents of a small row at once. For a large one, returns nil and pushes them onto
  /// the queue later.
  func inspect(_ request: InspectionRequest) -> Inspection? {
    let size = source.read { catalog in
      let timeline = catalog[request.session]?.timeline
      let base = catalog[request.baseSession]?.timeline
      return (timeline?.stateSize(at: Position(wire: request.row)) ?? 0)
        + (timeline?.row(request.row)?.record.payload?.bytes.count ?? 0)
        + (request.base.flatMap { base?.stateSize(at: $0) } ?? 0)
    }
    guard size > Self.sizeMaxAtOnce else { return read(request) }
    let mustStart = state.withLock { state in
      state.waiting = request
      defer { state.isBusy = true }
      return !state.isBusy
    }
    return mustStart && !start() ? read(request) : nil
  }

  private func start() -> Bool {
    do throws(ThreadError) {
      // Parsing deep states recurses.
      _ = try Thread.start(name: "statesurf-read", stackSize: 8 << 20) { [self] in work() }
      return true
    } catch {
      state.withLock { $0 = State() }
      return false
    }
  }

  private func work() {
    while let request = next() { queue.push(.inspected(read(request))) }
  }

  private func next() -> InspectionRequest? {
    state.withLock { state in
      defer { state.waiting = nil }
      state.isBusy = state.waiting != nil
      return state.waiting
    }
  }

  /// Copies the contents under the lock and decodes them outside of it.
  private func read(_ request: InspectionRequest) -> Inspection {
    let contents = source.read { catalog in
      let timeline = catalog[request.session]?.timeline
      return (
        state: timeline?.state(at: Position(wire: request.row)),
        base: request.base.flatMap { catalog[request.baseSession]?.timeline.state(at: $0) },
        payload: timeline?.row(request.row)?.record.payload
      )
    }
    return Inspection(
      request, state: contents.state, base: contents.base, payload: contents.payload)
  }
}
