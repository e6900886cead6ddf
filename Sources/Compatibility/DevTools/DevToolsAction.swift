internal import ReduxDevTools
internal import SurfControl

/// What can be done with the connection, and what happens to it.
///
/// Cases with an underscore are what `DevTools` tells itself; apps do not dispatch them.
public enum DevToolsAction: Sendable {
  /// Does what the environment's connection mode says; once, at launch.
  case activate
  /// Connects to a relay, in place of any other.
  case connect(host: String, port: UInt16)
  /// Resolves a service that browsing found, and connects to it.
  case connectToService(DiscoveredService)
  /// Looks for relays by DNS-SD.
  case startBrowsing
  /// Ends that; what was found can still be picked.
  case stopBrowsing
  /// Leaves the relay, and does not try again.
  case disconnect
  /// A relay takes frames.
  case _connected(host: String, port: UInt16)
  /// A relay was never reached.
  case _connectionFailed(any Error)
  /// A relay that was reached is gone.
  case _connectionLost((any Error)?)
  /// A service came, or says something new.
  case _serviceFound(DiscoveredService)
  /// A service went.
  case _serviceRemoved(DiscoveredService)
  /// A panel wants something. If that succeeds, the action that does the same follows.
  case _received(RemoteDevCommand)
  /// The whole state, where the app's other actions do not add up to it. The app acted after a jump
  /// and is live again, a panel moved an action, or a command was refused.
  case _synchronized(DevToolsState)
  /// Puts the app into the state after an action, by the panel's number of it.
  case jumpToAction(Int)
  /// The same, by the place of a state; 0 is the one that history begins with.
  case jumpToState(Int)
  /// Leaves an action out, or takes it in again. The actions after it run again, or the nearest
  /// state before it is restored (`DevToolsState.isExact`).
  case toggleAction(Int)
  /// Forgets the actions that are left out; the app stays in its state.
  case sweep
  /// Clears the history and restores the initial state.
  case reset
  /// Lets the history begin with the state that the app is in.
  case commit
  /// Restores the state of the last commit.
  case rollback
  /// Replaces the history.
  case importState(ImportedLiftedState)
  /// Dispatches an action of the app, written as JSON or as a JavaScript value.
  case dispatchAction(String)
  case pause
  case resume
  case lockChanges
  case unlockChanges
}

extension PanelCommand {
  /// The button of a panel that does the same; nil if there is none.
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

/// Why there is no connection, or no travel.
public enum DevToolsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A discovered service did not answer with its host and port.
  case couldNotResolveService(String)
  /// Connecting failed, or a connection ended; in words.
  case connection(String)

  /// One line for people.
  public var description: String {
    switch self {
    case .couldNotResolveService(let name): "the service '\(name)' could not be resolved"
    case .connection(let reason): reason
    }
  }
}
