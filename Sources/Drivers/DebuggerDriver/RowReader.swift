import JSONTools
import JSONTree
import SurfDebugger
import SurfThreads
import SurfTimeline
import SurfWire

/// Decodes rows for the detail pane, and reads watched places: small states right away, large ones
/// on other threads. Of each kind it keeps only the newest request.
final class RowReader: Sendable {
  private let source: any HistorySource
  private let queue: DebuggerQueue
  private let inspections = NewestRequest<InspectionRequest>("statesurf-read")
  private let watches = NewestRequest<WatchRequest>("statesurf-watch")

  /// Octets that take a few milliseconds to parse and compare.
  private static let sizeMaxAtOnce = 256 << 10

  init(_ source: any HistorySource, _ queue: DebuggerQueue) {
    self.source = source
    self.queue = queue
  }

  /// Returns the contents of a small row. For a large one, returns nil and pushes them onto the
  /// queue later.
  func inspect(_ request: InspectionRequest) -> Inspection? {
    let size = source.read { catalog in
      let timeline = catalog[request.session]?.timeline
      let base = catalog[request.baseSession]?.timeline
      return (request.state.flatMap { timeline?.stateSize(at: $0) } ?? 0)
        + (timeline?.row(request.row)?.record.payload?.bytes.count ?? 0)
        + (request.base.flatMap { base?.stateSize(at: $0) } ?? 0)
    }
    let isLeft =
      size > Self.sizeMaxAtOnce
      && inspections.leave(request) { [self] in
        while let request = inspections.next() { queue.push(.inspected(read(request))) }
      }
    return isLeft ? nil : read(request)
  }

  /// Copies the contents under the lock and decodes them outside of it.
  private func read(_ request: InspectionRequest) -> Inspection {
    let contents = source.read { catalog in
      let timeline = catalog[request.session]?.timeline
      return (
        state: request.state.flatMap { timeline?.state(at: $0) },
        base: request.base.flatMap { catalog[request.baseSession]?.timeline.state(at: $0) },
        payload: timeline?.row(request.row)?.record.payload
      )
    }
    return Inspection(
      request, state: contents.state, base: contents.base, payload: contents.payload)
  }

  /// Returns the rows if all are small. Otherwise returns none, and pushes them onto the queue
  /// later, one by one until there is a newer request.
  func watch(_ request: WatchRequest) -> [WatchedRow] {
    let size = source.read { catalog in
      request.rows.reduce(0) {
        $0 + (catalog[request.session]?.timeline.row($1)?.stateSize ?? 0)
      }
    }
    let isLeft = size > Self.sizeMaxAtOnce && watches.leave(request) { [self] in readWatches() }
    guard !isLeft else { return [] }
    watches.forget()
    var reader = JSONRereader()
    return request.rows.map { watched($0, request, &reader) }
  }

  private func readWatches() {
    // Neighbours have much in common. That is not parsed again.
    var reader = JSONRereader()
    while let request = watches.next() {
      for row in request.rows {
        queue.push(.watched([watched(row, request, &reader)]))
        if watches.isWaiting { break }
      }
    }
  }

  /// Copies the state under the lock and parses it outside of it.
  private func watched(
    _ row: SequenceNumber, _ request: WatchRequest, _ reader: inout JSONRereader
  ) -> WatchedRow {
    let content = source.read {
      $0[request.session]?.timeline.state(at: Position(wire: row))
    }
    guard let content, case .value(let json, _, _) = reader.read(content.bytes) else {
      return WatchedRow(request, row, state: nil)
    }
    return WatchedRow(request, row, state: json)
  }
}

/// The newest request that a thread of its own has not begun. The thread ends once it has begun
/// all.
private final class NewestRequest<Request: Sendable>: Sendable {
  private struct State {
    var request: Request?
    var isBusy = false
  }

  private let state = Monitor(State())
  private let threadName: String

  init(_ threadName: String) { self.threadName = threadName }

  var isWaiting: Bool { state.withLock { $0.request != nil } }

  /// Leaves a request to the thread, which does `work`: calls of `next` until that returns nil.
  /// Returns false if no thread can start.
  func leave(_ request: Request, to work: @escaping @Sendable () -> Void) -> Bool {
    let mustStart = state.withLock { state in
      state.request = request
      defer { state.isBusy = true }
      return !state.isBusy
    }
    guard mustStart else { return true }
    do throws(ThreadError) {
      // Parsing deep states recurses.
      _ = try Thread.start(name: threadName, stackSize: 8 << 20, work)
      return true
    } catch {
      state.withLock { $0 = State() }
      return false
    }
  }

  func forget() { state.withLock { $0.request = nil } }

  func next() -> Request? {
    state.withLock { state in
      defer { state.request = nil }
      state.isBusy = state.request != nil
      return state.request
    }
  }
}
