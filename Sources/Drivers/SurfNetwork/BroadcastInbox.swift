import SurfThreads
import SurfTransport
import SurfWire

/// The commands of callers that find the engine of a `BroadcastStation` in use. The next thread to
/// get the engine takes them. The inbox also knows how much is unsent, which callers may wait for.
final class BroadcastInbox: Sendable {
  private struct State {
    var commands: [BroadcastMachine.Command] = []
    var queuedSize = 0
    /// Octets that the sender has received and not sent.
    var unsentSize = 0
    /// Octets kept for viewers.
    var keptSize = 0
    var isOpen = false
    var end = Duration.zero
    /// Until when callers may wait for room; nil for as long as it takes.
    var patienceEnd: Duration?
    var poller: Poller?
  }

  private let state = Monitor(State())

  var isOpen: Bool { state.withLock { $0.isOpen } }

  func open() { state.withLock { $0.isOpen = true } }

  /// Ends the loop, by `end` at the latest, and releases all waiting threads.
  func close(until end: Duration) {
    state.withLock { state in
      if state.isOpen { state.end = end }
      state.isOpen = false
    }
    wake()
  }

  /// By when the loop must have ended.
  var end: Duration { state.withLock { $0.end } }

  /// Makes `poller` the one that wakes the loop.
  func attach(_ poller: Poller?) { state.withLock { $0.poller = poller } }

  /// Queues commands. The caller must ensure that the loop takes them.
  func append(_ command: BroadcastMachine.Command) {
    state.withLock { state in
      state.commands.append(command)
      state.queuedSize += command.size
    }
  }

  func wake() { state.withLock { $0.poller }?.wake() }

  func takeCommands() -> [BroadcastMachine.Command] {
    state.withLock { state in
      defer {
        state.commands = []
        state.unsentSize += state.queuedSize
        state.queuedSize = 0
      }
      return state.commands
    }
  }

  /// Replaces the estimates with the sender's own counts, after it has received everything.
  func note(unsentSize: Int, keptSize: Int) {
    state.withLock { ($0.unsentSize, $0.keptSize) = (unsentSize, keptSize) }
  }

  /// Octets kept for viewers, with the queued ones, which will be.
  var keptSize: Int { state.withLock { $0.keptSize + $0.queuedSize } }

  /// Waits until the unsent octets satisfy `isEnough`, or the inbox is closed. False after
  /// `timeout`.
  @discardableResult
  func wait(timeout: Duration? = nil, until isEnough: (Int) -> Bool) -> Bool {
    state.wait(until: timeout.map { monotonicTime(after: $0) }) { state in
      !state.isOpen || isEnough(state.queuedSize + state.unsentSize)
    }
  }
}

extension BroadcastInbox {
  /// No caller waits for room past `end`, not even one already waiting; nil lifts the limit.
  func limitWaits(until end: Duration?) { state.withLock { $0.patienceEnd = end } }

  /// Waits until at most `sizeMax` octets are unsent, the inbox is closed, or the limit of
  /// `limitWaits` is over.
  func waitForRoom(_ sizeMax: Int) {
    while true {
      let end = state.withLock { $0.patienceEnd }
      _ = state.wait(until: end) { state in
        !state.isOpen || state.queuedSize + state.unsentSize <= sizeMax || state.patienceEnd != end
      }
      guard state.withLock({ $0.patienceEnd }) != end else { return }
    }
  }
}
