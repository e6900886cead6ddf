import SurfObserver
import SurfThreads
import SurfWire

/// Brings the events of other threads to the one thread that runs a command. Bounded: the queue
/// counts and reports what it has no room for, and the network never waits for a slow terminal.
package final class EventQueue: Sendable {
  package enum Event: Sendable {
    case change(CatalogChange)
    /// This many new rows in this range had no room.
    case dropped(SessionID, ClosedRange<SequenceNumber>, count: Int)
    case answer(ResetAnswer)
    case signal(Int32)
    /// A line of a service, to be printed.
    case line(Line)
    /// What a service must say beside its lines, for standard error.
    case complaint(String)
  }

  /// How many may wait. A run of new rows is one.
  private let countMax: Int
  private let contents = Monitor(Contents())
  private let waker: Waker

  /// What of a run of rows, heartbeats and moves a slow terminal may leave waiting.
  static let countMaxByDefault = 50_000

  package init(countMax: Int = countMaxByDefault) throws(Failure) {
    self.countMax = countMax
    do throws(ThreadError) {
      waker = try Waker()
    } catch {
      throw Failure("\(error)")
    }
  }

  /// Readable when there is something to take.
  var fileDescriptor: Int32 { waker.fileDescriptor }

  /// Rows and lines that found no room.
  package var overflows: Int { contents.withLock { $0.overflows } }

  /// Whether a signal waits to be taken.
  var holdsSignal: Bool { contents.withLock { $0.holdsSignal } }

  package func push(_ event: Event) {
    if contents.withLock({ $0.add(event, countMax: countMax) }) { waker.wake() }
  }

  /// All that waits, in order, and then what had no room.
  package func takeAll() -> [Event] {
    waker.clear()
    return contents.withLock { $0.takeAll() }
  }
}

/// What waits, and what had no room.
private struct Contents {
  private var events: [EventQueue.Event] = []
  private(set) var overflows = 0
  private(set) var holdsSignal = false
  /// Once one has no room, none has until all were taken: the missing rows are then in one piece.
  private var isFull = false
  private var dropped: [SessionID: MissedRows] = [:]
  /// Sessions to report as heard: once is enough.
  private var heard: Set<SessionID> = []

  /// False if nothing new waits.
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
    // A person waits for these: they always find room, and they are few.
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

  /// Rows directly behind the last ones are told with them.
  private mutating func extendLast(
    by rows: ClosedRange<SequenceNumber>, of session: SessionID
  ) -> Bool {
    guard case .change(.rows(session, let last))? = events.last,
      last.upperBound.next == rows.lowerBound
    else { return false }
    events[events.count - 1] = .change(.rows(session, last.lowerBound...rows.upperBound))
    return true
  }

  /// Wakes no thread: the full queue has done so.
  private mutating func drop(_ rows: ClosedRange<SequenceNumber>, of session: SessionID) -> Bool {
    overflows += rows.length.clamped(to: .max)
    dropped.add(rows, of: session)
    return false
  }
}
