import Glibc
import SurfNetwork
import Synchronization

/// Brings what other threads have to tell to the one thread that runs a command. Bounded: what it
/// has no room for is counted, and the network never waits for a slow terminal.
final class EventQueue: Sendable {
  enum Event: Sendable {
    case observer(ObserverEvent)
    case answer(ResetAnswer)
    case signal(Int32)
    /// A line of a service, to be printed.
    case line(Line)
  }

  private struct Contents {
    var events: [Event] = []
    var byteCount = 0
    var overflows = 0
  }

  /// Many seconds of a fast app, or four of the largest states.
  private static let countMax = 50_000
  private static let byteCountMax = 256 * 1_024 * 1_024

  private let contents = Mutex(Contents())
  /// Readable when there is something to take.
  let readable: Int32
  private let writable: Int32

  init() throws(Failure) {
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

  var overflows: Int { contents.withLock { $0.overflows } }

  func push(_ event: Event) {
    let wasAdded = contents.withLock { contents in
      let size = Self.size(event)
      // Only records may go: what concerns a person's request is small and must arrive.
      let isFull =
        contents.events.count >= Self.countMax || contents.byteCount + size > Self.byteCountMax
      if isFull, size > 0 {
        contents.overflows += 1
        return false
      }
      contents.events.append(event)
      contents.byteCount += size
      return true
    }
    guard wasAdded else { return }
    var byte: UInt8 = 0
    // A full pipe is as good a wake-up as one byte more.
    _ = write(writable, &byte, 1)
  }

  func takeAll() -> [Event] {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while read(readable, &bytes, bytes.count) == bytes.count {}
    return contents.withLock { contents in
      defer { (contents.events, contents.byteCount) = ([], 0) }
      return contents.events
    }
  }

  private static func size(_ event: Event) -> Int {
    guard case .observer(.record(_, let record)) = event else { return 0 }
    return 256 + (record.state.content?.bytes.count ?? 0) + (record.payload?.bytes.count ?? 0)
  }
}

/// The system's words for `errno`.
func systemError() -> String { String(cString: strerror(errno)) }
