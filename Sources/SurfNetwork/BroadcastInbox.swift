import Dispatch
import SurfSockets
import SurfTransport
import SurfWire
import Synchronization

/// What the broadcaster's callers want, on its way to the broadcaster's thread.
final class BroadcastInbox: Sendable {
  enum Command: Sendable {
    case record(OutgoingRecord)
    case answer(IncomingReset, Outcome.Result)

    var size: Int {
      switch self {
      case .record(let record): record.bytes.count
      case .answer: 1
      }
    }
  }

  private struct State {
    var commands: [Command] = []
    /// Octets in `commands`.
    var queuedSize = 0
    /// Octets that the sender was given and has not sent.
    var unsentSize = 0
    var isOpen = false
    var poller: Poller?
    var waiterCount = 0
  }

  private let state = Mutex(State())
  private let changed = DispatchSemaphore(value: 0)

  var isOpen: Bool { state.withLock { $0.isOpen } }

  func open() { state.withLock { $0.isOpen = true } }

  /// Ends the loop, and lets everybody go who waits.
  func close() {
    let poller = state.withLock { state in
      state.isOpen = false
      return state.poller
    }
    poller?.wake()
    signal()
  }

  /// The loop can be woken by this from now on.
  func attach(_ poller: Poller?) { state.withLock { $0.poller = poller } }

  func append(_ command: Command) {
    let poller = state.withLock { state in
      state.commands.append(command)
      state.queuedSize += command.size
      // Whoever finds something queued was woken for it already.
      return state.commands.count == 1 ? state.poller : nil
    }
    poller?.wake()
  }

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
  func note(unsentSize: Int) {
    state.withLock { $0.unsentSize = unsentSize }
    signal()
  }

  /// Waits until the octets that wait to be sent satisfy `isEnough`, or nothing will be sent any
  /// more; false if `timeout` came first.
  @discardableResult
  func wait(timeout: Duration? = nil, until isEnough: (Int) -> Bool) -> Bool {
    let deadline = timeout.map { monotonicNow() + $0 }
    while true {
      let isDone = state.withLock { state in
        let isDone = !state.isOpen || isEnough(state.queuedSize + state.unsentSize)
        if !isDone { state.waiterCount += 1 }
        return isDone
      }
      if isDone { return true }
      if let deadline, monotonicNow() >= deadline { return false }
      // Bounded, because a signal may go to another waiter.
      _ = changed.wait(timeout: .now() + .milliseconds(20))
    }
  }

  private func signal() {
    let waiters = state.withLock { state in
      defer { state.waiterCount = 0 }
      return state.waiterCount
    }
    for _ in 0..<waiters { changed.signal() }
  }
}
