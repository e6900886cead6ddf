import SurfThreads
import SurfTransport
import SurfWire

/// The commands of the broadcaster's callers, on their way to its thread.
package final class BroadcastInbox: Sendable {
  package enum Command: Sendable {
    case records([Record])
    case answer(IncomingReset, Outcome.Result)
    case control(Heartbeat.Control)
    case givenUp(Heartbeat.GivenUp)
    /// So much of the work on a request is done.
    case share(ResetProgress.Share, of: IncomingReset)
    /// The app came to a state that no record carries.
    case leftRecords
    /// Keep at most this many octets, half of them history and half values.
    case bound(Int)

    /// Octets to send.
    var size: Int {
      switch self {
      case .records(let records): records.reduce(0) { $0 + $1.roughSize }
      case .answer, .control, .leftRecords: 1
      // `flush` need not wait for it: it may lie here until something is sent.
      case .givenUp, .share, .bound: 0
      }
    }
  }

  private struct State {
    var commands: [Command] = []
    /// Octets in `commands`.
    var queuedSize = 0
    /// Octets that the sender was given and has not sent.
    var unsentSize = 0
    /// Octets that are kept for viewers.
    var keptSize = 0
    var isOpen = false
    var end = Duration.zero
    var poller: Poller?
  }

  private let state = Monitor(State())

  var isOpen: Bool { state.withLock { $0.isOpen } }

  func open() { state.withLock { $0.isOpen = true } }

  /// Ends the loop, by this time, and releases every thread that waits.
  func close(until end: Duration) {
    state.withLock { state in
      if state.isOpen { state.end = end }
      state.isOpen = false
    }
    wake()
  }

  /// When the loop must have ended.
  var end: Duration { state.withLock { $0.end } }

  /// From now on `poller` wakes the loop.
  func attach(_ poller: Poller?) { state.withLock { $0.poller = poller } }

  /// Queues commands; the caller must see that they are taken.
  func append(_ commands: [Command]) {
    state.withLock { state in
      state.commands += commands
      state.queuedSize += commands.reduce(0) { $0 + $1.size }
    }
  }

  /// Makes the loop have a look.
  func wake() { state.withLock { $0.poller }?.wake() }

  func takeCommands() -> [Command] {
    state.withLock { state in
      defer {
        state.commands = []
        state.unsentSize += state.queuedSize
        state.queuedSize = 0
      }
      return state.commands
    }
  }

  /// The sender's own count, once it has been given everything.
  func note(unsentSize: Int, keptSize: Int) {
    state.withLock { ($0.unsentSize, $0.keptSize) = (unsentSize, keptSize) }
  }

  /// Octets kept for viewers, and queued ones, which are kept next.
  var keptSize: Int { state.withLock { $0.keptSize + $0.queuedSize } }

  /// Waits until the unsent octets satisfy `isEnough`, or nothing will be sent any more; false if
  /// `timeout` came first.
  @discardableResult
  func wait(timeout: Duration? = nil, until isEnough: (Int) -> Bool) -> Bool {
    state.wait(until: timeout.map { monotonicTime(after: $0) }) { state in
      !state.isOpen || isEnough(state.queuedSize + state.unsentSize)
    }
  }
}
