import SurfSockets
import SurfStreams
import SurfThreads
import TestSupport
import Testing

/// Every suite that opens TCP sockets hangs below this one, so that no two run at the same time.
@Suite(.serialized, .timeLimit(.minutes(10)))
enum RealStreams {}

let loopbacks: [TCPAddress] = ["127.0.0.1", "::1"].compactMap { TCPAddress(parsing: $0, port: 0) }
let loopback = loopbacks[0]

struct Gone: Error {}

extension StreamEvent {
  var isEnd: Bool { if case .closed = self { true } else { false } }
}

/// A machine's events, for the test's thread.
final class EventLog: Sendable {
  struct Content {
    var events: [StreamEvent] = []
    var notes: [Note] = []
  }
  struct Note: Equatable {
    var thread: Int
    var number: Int
  }

  let content = Monitor(Content())

  var events: [StreamEvent] { content.withLock { $0.events } }

  /// The first event of that kind, once there is one.
  func wait(for isIt: (StreamEvent) -> Bool) throws -> StreamEvent {
    content.wait(until: monotonicNow() + patience) { $0.events.contains(where: isIt) }
    let found = events.first(where: isIt)
    return try #require(found, "saw only \(events.suffix(5))")
  }

  func end() throws -> StreamEnd {
    let event = try wait(for: \.isEnd)
    guard case .closed(_, let end) = event else { throw Gone() }
    return end
  }

  func accepted() throws -> StreamID {
    try wait { if case .accepted = $0 { true } else { false } }.stream
  }
}

/// Logs everything, and answers each event with what the test wants.
struct TestMachine: StreamMachine {
  enum Input: Sendable {
    case action(StreamAction)
    case note(thread: Int, number: Int)
  }

  let log: EventLog
  /// Not logged: too many bytes.
  var skipsBytes = false
  var react: @Sendable (StreamEvent) -> [StreamAction] = { _ in [] }
  /// Called in each turn, behind its events.
  var work: @Sendable () -> Void = {}
  var actions: [StreamAction] = []
  var deadline: Duration? { nil }

  mutating func receive(_ event: StreamEvent, at now: Duration) {
    actions += react(event)
    if skipsBytes, case .received = event { return }
    log.content.withLock { $0.events.append(event) }
  }

  mutating func receive(_ input: Input, at now: Duration) {
    switch input {
    case .action(let action): actions.append(action)
    case .note(let thread, let number):
      log.content.withLock { $0.notes.append(.init(thread: thread, number: number)) }
    }
  }

  mutating func advance(to now: Duration) { work() }

  mutating func takeActions() -> [StreamAction] {
    defer { actions = [] }
    return actions
  }
}

@Sendable func echo(_ event: StreamEvent) -> [StreamAction] {
  switch event {
  case .received(let id, let bytes): [.write(id, bytes)]
  case .ended(let id): [.closeAfterWriting(id)]
  default: []
  }
}

/// A loop with a test machine.
func startLoop(
  _ listeners: [TCPAddress], _ log: EventLog, limits: StreamLimits = StreamLimits(),
  skipsBytes: Bool = false,
  react: @escaping @Sendable (StreamEvent) -> [StreamAction] = { _ in [] },
  work: @escaping @Sendable () -> Void = {}
) throws -> StreamLoop<TestMachine> {
  try StreamLoop(listeners: listeners, name: "surf-test", limits: limits) {
    TestMachine(log: log, skipsBytes: skipsBytes, react: react, work: work)
  }
}

/// The other side, which may wait.
struct Client {
  let stream: TCPStream
  let poller: Poller

  init(_ address: TCPAddress) throws {
    stream = try TCPStream(connectingTo: address)
    poller = try Poller()
    repeat { try wait(writing: true) } while try !stream.finishConnecting()
  }

  func wait(writing: Bool) throws {
    let descriptor = [stream.fileDescriptor]
    let wakeup = try poller.wait(
      reading: writing ? [] : descriptor, writing: writing ? descriptor : [],
      until: monotonicNow() + patience)
    guard wakeup != Wakeup() else { throw Gone() }
  }

  func write(_ bytes: [UInt8]) throws {
    var offset = 0
    while offset < bytes.count {
      let sent = try bytes.withUnsafeBytes {
        try stream.write(UnsafeRawBufferPointer(rebasing: $0[offset...]))
      }
      if sent == 0 { try wait(writing: true) }
      offset += sent
    }
  }

  /// Some bytes; `nil` at the end.
  func readSome() throws -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      switch try buffer.withUnsafeMutableBytes({ try stream.read(into: $0) }) {
      case .bytes(let count): return Array(buffer[..<count])
      case .end: return nil
      case .nothing: try wait(writing: false)
      }
    }
  }

  /// All until so many were read, or the end.
  func read(_ count: Int = .max) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count, let some = try readSome() { bytes += some }
    return bytes
  }
}

/// A prime number of bytes, so that no two pieces of a usual size are the same.
private let period = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

/// Bytes that reveal every loss and every swap.
func pattern(_ count: Int, from start: Int = 0) -> [UInt8] {
  var bytes: [UInt8] = []
  while bytes.count < count {
    let place = (start + bytes.count) % period.count
    bytes += period[place..<min(period.count, place + count - bytes.count)]
  }
  return bytes
}
