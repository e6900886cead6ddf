public import SurfStore

extension DevToolsState {
  /// Limited because any host on the network can announce services.
  private static let serviceCountMax = 256

  /// Keeps a copy of this state in the app's own state, for an app that lifts it into its reducer.
  ///
  /// It reduces the actions that the app dispatches for `DevTools`, and those that `DevTools`
  /// dispatches (`embedDevToolsAction`). It does not set what only `DevTools` knows, such as
  /// `isExact`.
  public static let reducer = Reducer<DevToolsAction, DevToolsState>.reduce { action, state in
    state.reduce(action)
  }

  mutating func reduce(_ action: DevToolsAction) {
    switch action {
    case .connect, .connectToService:
      leaveRelay()
      connectionStatus = .connecting
    case .startBrowsing: (discoveredServices, isBrowsing) = ([], true)
    case .stopBrowsing: isBrowsing = false
    case .disconnect: leaveRelay()
    case ._connected(let host, let port):
      (connectionStatus, failure) = (.connected(host: host, port: port), nil)
    case ._connectionFailed(let error): leaveRelay(error)
    case ._connectionLost(let error): leaveRelay(error)
    case ._serviceFound(let service): add(service)
    case ._serviceRemoved(let service): discoveredServices.removeAll { $0.id == service.id }
    case ._received(.unknown): unknownCommandCount += 1
    case ._received, .activate, .dispatchAction: break
    default: reduceHistory(action)
    }
  }

  private mutating func reduceHistory(_ action: DevToolsAction) {
    switch action {
    case .jumpToAction(let index), .jumpToState(let index): currentActionIndex = index
    case .toggleAction(let index): skippedActionIds.formSymmetricDifference([index])
    case .sweep: skippedActionIds = []
    case .reset, .commit, .rollback:
      (currentActionIndex, skippedActionIds) = (nil, [])
      (stateHistory, actionHistory) = ([], [])
    case .importState(let lifted):
      (stateHistory, actionHistory) = (lifted.states, lifted.actions)
      skippedActionIds = lifted.skippedActionIds
      currentActionIndex = lifted.currentStateIndex
      (isPaused, isLocked) = (lifted.isPaused, lifted.isLocked)
    case .pause: isPaused = true
    case .resume: isPaused = false
    case .lockChanges: isLocked = true
    case .unlockChanges: isLocked = false
    case ._synchronized(let state): takeHistory(of: state)
    default: break
    }
  }

  /// Whether both have the same history, as far as `takeHistory` copies it.
  func hasHistory(of other: DevToolsState) -> Bool {
    var copy = self
    copy.takeHistory(of: other)
    return copy == self
  }

  mutating func takeHistory(of other: DevToolsState) {
    currentActionIndex = other.currentActionIndex
    skippedActionIds = other.skippedActionIds
    (isPaused, isLocked) = (other.isPaused, other.isLocked)
    (stateHistory, actionHistory) = (other.stateHistory, other.actionHistory)
  }

  /// Ends the pause and the lock that a panel had set.
  private mutating func leaveRelay(_ error: (any Error)? = nil) {
    connectionStatus = .disconnected
    (isPaused, isLocked) = (false, false)
    if let error { failure = "\(error)" }
  }

  private mutating func add(_ service: DiscoveredService) {
    if let index = discoveredServices.firstIndex(where: { $0.id == service.id }) {
      discoveredServices[index] = service
    } else if discoveredServices.count < Self.serviceCountMax {
      discoveredServices.append(service)
    }
  }
}
