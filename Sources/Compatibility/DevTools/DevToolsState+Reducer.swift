public import SurfStore

extension DevToolsState {
  /// Any host may announce services.
  private static let serviceCountMax = 256

  /// Keeps this state inside an app's own, by the actions that the app dispatches for `DevTools`
  /// and those that `DevTools` dispatches (`embedDevToolsAction`).
  ///
  /// Lift it into the app's reducer. Whatever only `DevTools` itself can know, such as `isExact`,
  /// stays as it is.
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

  /// Whether both say the same about the history. What only `DevTools` knows is not compared.
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

  /// What a panel had set is gone with it.
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
