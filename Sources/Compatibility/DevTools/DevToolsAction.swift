internal import ReduxDevTools
internal import SurfControl

/// Actions for the connection to a panel, and events of it. An app passes them to
/// `DevTools.dispatch`. Its store needs them only to reduce them, with `embedDevToolsAction`, or to
/// dispatch them itself, with `extractDevToolsAction`.
///
/// `DevTools` itself dispatches the cases with an underscore. From an app it ignores `_connected`,
/// `_connectionFailed`, `_connectionLost` and `_synchronized`; but it believes `_serviceFound` and
/// `_serviceRemoved`, and obeys the command in `_received`.
public enum DevToolsAction: Sendable {
  /// Starts as `DevToolsEnvironment.connectionMode` says. Dispatch it once, at launch.
  case activate
  /// Connects to a relay, and leaves any other.
  case connect(host: String, port: UInt16)
  /// Resolves a service that browsing found, and connects to it.
  case connectToService(DiscoveredService)
  /// Looks for relays by DNS-SD.
  case startBrowsing
  /// Stops browsing. A user can still pick a service found so far.
  case stopBrowsing
  /// Leaves the relay, and does not reconnect.
  case disconnect
  /// The relay accepts frames.
  case _connected(host: String, port: UInt16)
  /// The relay could not be reached.
  case _connectionFailed(any Error)
  /// The connection to the relay ended.
  case _connectionLost((any Error)?)
  /// A service appeared or changed.
  case _serviceFound(DiscoveredService)
  case _serviceRemoved(DiscoveredService)
  /// A panel sent a command. If it succeeds, the action with the same effect follows, if any.
  case _received(RemoteDevCommand)
  /// Replaces the app's copy of the state if the app's other actions do not add up to it. That
  /// happens if the app acts after a jump and so is live again, a panel moves an action, or a
  /// command is refused.
  case _synchronized(DevToolsState)
  /// Puts the app into the state after an action, by the panel's number of the action.
  case jumpToAction(Int)
  /// The same, by the panel's number of the state, which is that of the action before it. State 0
  /// is the first that the panel got; evictions keep the numbers.
  case jumpToState(Int)
  /// Skips an action, or includes it again. The actions after it run again, or the nearest state
  /// before it is restored (`DevToolsState.isExact`).
  case toggleAction(Int)
  /// Drops the skipped actions from the history. The app stays in its state.
  case sweep
  /// Clears the history and restores the initial state.
  case reset
  /// Makes the app's current state the beginning of the history.
  case commit
  /// Restores the state of the last commit.
  case rollback
  /// Replaces the history.
  case importState(ImportedLiftedState)
  /// Dispatches an action of the app, given as JSON or as a JavaScript value.
  case dispatchAction(String)
  case pause
  case resume
  case lockChanges
  case unlockChanges
}

extension PanelCommand {
  /// The panel's command with the same effect, if any.
  init?(_ action: DevToolsAction) {
    switch action {
    case .jumpToAction(let index), .jumpToState(let index): self = .jumpToIndex(index, state: nil)
    case .toggleAction(let index): self = RemoteDevCommand.toggleAction(index).command
    case .sweep: self = .rewrite(.sweep)
    case .reset: self = .rewrite(.reset)
    case .commit: self = .rewrite(.commit)
    case .rollback: self = .rewrite(.rollback)
    case .importState(let lifted): self = .importState(lifted.json)
    case .dispatchAction(let text): self = .dispatchText(text)
    case .pause: self = .rewrite(.pause(true))
    case .resume: self = .rewrite(.pause(false))
    case .lockChanges: self = .rewrite(.lock(true))
    case .unlockChanges: self = .rewrite(.lock(false))
    default: return nil
    }
  }
}

/// Why there is no connection.
public enum DevToolsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The named service did not answer with its host and port.
  case couldNotResolveService(String)
  /// Connecting failed, or the connection ended, with the reason for people.
  case connection(String)

  /// One line for people.
  public var description: String {
    switch self {
    case .couldNotResolveService(let name): "the service '\(name)' could not be resolved"
    case .connection(let reason): reason
    }
  }
}
