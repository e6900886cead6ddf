import SurfObserver
import SurfThreads
import SurfWire

/// Carries events from other threads to the one that runs a command (`CommandRunner` or the
/// gateway's loop). The queue is bounded: it drops and counts what does not fit, so the network
/// never waits for a slow terminal.
package final class EventQueue: Sendable {
  package enum Event: Sendable {
    case change(CatalogChange)
    /// The queue dropped this many new rows in this range.
    case dropped(SessionID, ClosedRange<SequenceNumber>, count: Int)
    case answer(ResetAnswer)
    case signal(Int32)
    /// A line of a service, for standard output.
    case line(Line)
    /// A message of a service, for standard error.
    case complaint(String)
  }

  /// How many events may wait. A run of consecutive new rows counts as one.
  private let countMax: Int
  private let contents = Monitor(Contents())
  private let waker: Waker

  package init(countMax: Int = 50_000) throws(Failure) {
    self.countMax = countMax
    do throws(ThreadError) {
      waker = try Waker()
    } catch {
      throw Failure("\(error)")
    }
  }

  /// Readable while events wait.
  var fileDescriptor: Int32 { waker.fileDescriptor }

  /// How many rows and lines the queue has dropped.
  package var overflows: Int { contents.withLock { $0.overflows } }

  /// Whether a signal is waiting.
  var holdsSignal: Bool { contents.withLock { $0.holdsSignal } }

  package func push(_ event: Event) {
    if contents.withLock({ $0.add(event, countMax: countMax) }) { waker.wake() }
  }

  /// Takes all waiting events in order, followed by `dropped` events.
  package func takeAll() -> [Event] {
    waker.clear()
    return contents.withLock { $0.takeAll() }
  }
}

/// The state of an `EventQueue`, under its lock.
private struct Contents {
  private var events: [EventQueue.Event] = []
  private(set) var overflows = 0
  private(set) var holdsSignal = false
  /// Once full, the queue drops all rows until `takeAll`, so that the missing rows form one range.
  private var isFull = false
  private var dropped: [SessionID: MissedRows] = [:]
  /// Sessions whose `heard` event is already waiting. One is enough.
  private var heard: Set<SessionID> = []

  /// Returns false if the reader need not be woken.
  mutating func add(_ event: EventQueue.Event, countMax: Int) -> Bool {
    isFull = isFull || events.count >= countMax
    switch event {
    case .change(.heard(let session)):
      guard !isFull, heard.insert(session).inserted else { return false }
    case .change(.rows(let session, let rows)):
      if isFull { return drop(rows, of: session) }
      if extendLast(by: rows, of: session) { return false }
    case .line where isFull, .complaint where isFull:
      overflows += 1
      return false
    case .signal: holdsSignal = true
    // Few, and a person waits for them, so they are never dropped.
    case .change, .line, .complaint, .dropped, .answer: break
    }
    events.append(event)
    return true
  }

  mutating func takeAll() -> [EventQueue.Event] {
    defer { (events, isFull, dropped, heard, holdsSignal) = ([], false, [:], [], false) }
    let gaps = dropped.sorted { $0.value.range.lowerBound < $1.value.range.lowerBound }
    return events
      + gaps.map { .dropped($0.key, $0.value.range, count: $0.value.count.clamped(to: .max)) }
  }

  /// Merges rows with those of the last event, if they follow directly.
  private mutating func extendLast(
    by rows: ClosedRange<SequenceNumber>, of session: SessionID
  ) -> Bool {
    guard case .change(.rows(session, let last))? = events.last,
      last.upperBound.next == rows.lowerBound
    else { return false }
    events[events.count - 1] = .change(.rows(session, last.lowerBound...rows.upperBound))
    return true
  }

  /// Returns false: the full queue has already woken the reader.
  private mutating func drop(_ rows: ClosedRange<SequenceNumber>, of session: SessionID) -> Bool {
    overflows += rows.length.clamped(to: .max)
    dropped.add(rows, of: session)
    return false
  }
}

/// New rows that this viewer was too slow to show, to be reported in one line. The queue notes
/// those that it drops, on `statesurf-view`; `watch` and `logs` note theirs.
struct MissedRows {
  private(set) var range: ClosedRange<SequenceNumber>
  private(set) var count: WireCount

  init(_ rows: ClosedRange<SequenceNumber>) { (range, count) = (rows, rows.length) }

  var event: EventLine { .dropped(count.clamped(to: .max), range) }

  mutating func add(_ rows: ClosedRange<SequenceNumber>) {
    range = min(range.lowerBound, rows.lowerBound)...max(range.upperBound, rows.upperBound)
    count.add(rows.length)
  }
}

extension [SessionID: MissedRows] {
  mutating func add(_ rows: ClosedRange<SequenceNumber>, of session: SessionID) {
    if self[session]?.add(rows) == nil { self[session] = MissedRows(rows) }
  }
}
