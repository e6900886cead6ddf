import Glibc
import SurfObserver
import SurfWire
import Synchronization

/// Brings what other threads have to tell to the one thread that runs a command. Bounded: what it
/// has no room for is counted and told, and the network never waits for a slow terminal.
package final class EventQueue: Sendable {
  package enum Event: Sendable {
    case observer(ObserverEvent)
    /// Its state is made by who takes it, and takes less room until then.
    case record(UnmadeRecord)
    /// So many records in this range had no room.
    case dropped(SessionID, ClosedRange<SequenceNumber>, count: Int)
    case answer(ResetAnswer)
    case signal(Int32)
    /// A line of a service, to be printed.
    case line(Line)
  }

  /// How much may wait.
  package struct Bounds: Sendable {
    /// Many seconds of a fast app.
    package var countMax = 50_000
    /// Octets, as they are held: four of the largest states, or some million differences.
    package var byteCountMax = 256 * 1_024 * 1_024
    package init() {}
  }

  private let bounds: Bounds
  private let contents = Mutex(Contents())
  /// Readable when there is something to take.
  let readable: Int32
  private let writable: Int32

  package init(bounds: Bounds = Bounds()) throws(Failure) {
    self.bounds = bounds
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Failure("cannot open a pipe: \(systemError())") }
    for end in ends {
      guard fcntl(end, F_SETFL, O_NONBLOCK) == 0 else {
        throw Failure("cannot set up a pipe: \(systemError())")
      }
    }
    (readable, writable) = (ends[0], ends[1])
  }

  deinit {
    close(readable)
    close(writable)
  }

  /// Records and lines that found no room.
  package var overflows: Int { contents.withLock { $0.overflows } }

  /// Whether a signal waits to be taken.
  var holdsSignal: Bool { contents.withLock { $0.holdsSignal } }

  package func push(part: ObserverPart) {
    switch part {
    case .event(let event): push(.observer(event))
    case .record(let unmade):
      contents.withLock { $0.add(unmade, within: bounds) }
      wake()
    }
  }

  package func push(_ event: Event) {
    guard contents.withLock({ $0.add(event, within: bounds) }) else { return }
    wake()
  }

  private func wake() {
    var byte: UInt8 = 0
    // A full pipe is as good a wake-up as one byte more.
    _ = write(writable, &byte, 1)
  }

  /// All that waits, in order, and behind it what had no room.
  package func takeAll() -> [Event] {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while read(readable, &bytes, bytes.count) == bytes.count {}
    return contents.withLock { $0.takeAll() }
  }
}

/// What waits, and what had no room.
private struct Contents {
  private struct Stream: Hashable {
    let session: SessionID
    let origin: RecordOrigin
  }

  private struct Dropped {
    var range: ClosedRange<SequenceNumber>
    var count: Int
  }

  private var events: [EventQueue.Event] = []
  private var byteCount = 0
  private(set) var overflows = 0
  private(set) var holdsSignal = false
  /// Once one has no room, none has until all were taken: so what is missing is in one piece.
  private var isFull = false
  private var dropped: [Stream: Dropped] = [:]
  /// Knows the state of every stream, so that after a gap it can be told whole.
  private var makers = StateMakers()
  /// Streams whose next difference is from a state that was dropped.
  private var broken: Set<Stream> = []

  mutating func add(_ unmade: UnmadeRecord, within bounds: EventQueue.Bounds) {
    let stream = Stream(session: unmade.session, origin: unmade.origin)
    var (made, unmade) = (unmade, unmade)
    makers.make(&made)
    if broken.contains(stream) { unmade = made }
    let size = 256 + unmade.record.state.size + (unmade.record.payload?.bytes.count ?? 0)
    guard hasRoom(for: size, within: bounds) else { return drop(unmade, of: stream) }
    if unmade.record.carriesState { broken.remove(stream) }
    append(.record(unmade), size)
  }

  /// False if there was no room.
  mutating func add(_ event: EventQueue.Event, within bounds: EventQueue.Bounds) -> Bool {
    switch event {
    // The next one says the same, and more.
    case .observer(.heartbeat) where isFull || events.count >= bounds.countMax: return false
    case .line(let line):
      let size = 256 + line.text.utf8.count
      guard hasRoom(for: size, within: bounds) else {
        overflows += 1
        return false
      }
      append(event, size)
    case .signal:
      holdsSignal = true
      append(event, 0)
    // What a person waits for always finds room; it is little.
    case .observer, .record, .dropped, .answer: append(event, 0)
    }
    return true
  }

  mutating func takeAll() -> [EventQueue.Event] {
    defer {
      (events, byteCount, isFull, dropped) = ([], 0, false, [:])
      holdsSignal = false
    }
    let gaps = dropped.sorted { $0.value.range.lowerBound < $1.value.range.lowerBound }
    return events
      + gaps.map { .dropped($0.key.session, $0.value.range, count: $0.value.count) }
  }

  private mutating func hasRoom(for size: Int, within bounds: EventQueue.Bounds) -> Bool {
    if events.count >= bounds.countMax || byteCount + size > bounds.byteCountMax { isFull = true }
    return !isFull
  }

  private mutating func append(_ event: EventQueue.Event, _ size: Int) {
    events.append(event)
    byteCount += size
  }

  private mutating func drop(_ unmade: UnmadeRecord, of stream: Stream) {
    if unmade.record.carriesState { broken.insert(stream) }
    guard unmade.isTold else { return }
    overflows += 1
    let number = unmade.record.sequence
    let old = dropped[stream] ?? Dropped(range: number...number, count: 0)
    let range = min(old.range.lowerBound, number)...max(old.range.upperBound, number)
    dropped[stream] = Dropped(range: range, count: old.count + 1)
  }
}

/// The system's words for `errno`.
func systemError() -> String { String(cString: strerror(errno)) }
