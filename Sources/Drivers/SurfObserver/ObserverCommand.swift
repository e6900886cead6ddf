import SurfDelta
import SurfNetwork
import SurfReceiving
import SurfThreads
import SurfWire

/// The requests of the observer's callers, on their way to its thread.
package final class ObserverInbox: Sendable {
  package enum Command: Sendable {
    case follow(SessionID, HistoryRequest)
    case refetch(SessionID, ClosedRange<SequenceNumber>)
    case values(SessionID)
    case request(Request)
  }

  /// A state or a command on its way to an app.
  package struct Request: Sendable {
    let session: SessionID
    let target: Position
    /// Of the file that the state is from.
    let fileName: String?
    let content: Content?
    /// The delta from a state that the app has sent, if it is worth a try.
    let delta: Delta?
    let isCommand: Bool
    let timeout: Duration
    let completion: @Sendable (ResetAnswer) -> Void

    package init(
      session: SessionID, target: Position, fileName: String? = nil, content: Content?,
      delta: Delta? = nil,
      isCommand: Bool, timeout: Duration, completion: @escaping @Sendable (ResetAnswer) -> Void
    ) {
      self.session = session
      self.target = target
      self.fileName = fileName
      self.content = content
      self.delta = delta
      self.isCommand = isCommand
      self.timeout = timeout
      self.completion = completion
    }
  }

  private struct State {
    var commands: [Command] = []
    var isOpen = true
    var counters = NetworkCounters()
  }

  let poller: Poller
  private let state = Monitor(State())

  init(poller: Poller) { self.poller = poller }

  var isOpen: Bool { state.withLock { $0.isOpen } }
  var counters: NetworkCounters { state.withLock { $0.counters } }

  func report(_ counters: NetworkCounters) { state.withLock { $0.counters = counters } }

  func append(_ command: Command) {
    state.withLock { $0.commands.append(command) }
    poller.wake()
  }

  func takeCommands() -> [Command] {
    state.withLock { state in
      defer { state.commands = [] }
      return state.commands
    }
  }

  func close() {
    state.withLock { $0.isOpen = false }
    poller.wake()
  }
}
