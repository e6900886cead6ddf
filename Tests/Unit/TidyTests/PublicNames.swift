/// The public names of the five projects whose capabilities this one has.
enum PublicNames {
  static let all = [historian, reduxDevTools, swiftRex, remoteInspector, swiftyState].flatMap {
    $0.split { $0.isWhitespace }.map(String.init)
  }

  private static let historian = """
    StateInitializable StateInitializable.init(from:) StateSurfable StateSurfable.State
    StateSurfable.Action StateSurfable.store StateSurfable.reducer StateSurfable.body
    HistoryTransceiver HistoryTransceiver.resume HistoryTransceiver.stop HistoryTransceiverView
    Message HistoryView broadcastEnabled broadcast
    Store Store.view Store.binding Reducer Effect Effect.fireAndForget Effect.sync
    combine pullback indexed identified logging
    """

  private static let reduxDevTools = """
    DevToolsAction DevToolsAction.activate DevToolsAction.connect(host:port:)
    DevToolsAction.connectToService DevToolsAction.startBrowsing DevToolsAction.stopBrowsing
    DevToolsAction.disconnect DevToolsAction._connected(host:port:) DevToolsAction._connectionFailed
    DevToolsAction._connectionLost DevToolsAction._serviceFound DevToolsAction._serviceRemoved
    DevToolsAction._received DevToolsAction.jumpToAction DevToolsAction.jumpToState
    DevToolsAction.toggleAction DevToolsAction.reset DevToolsAction.commit DevToolsAction.rollback
    DevToolsAction.importState DevToolsAction.dispatchAction DevToolsAction.pause
    DevToolsAction.resume DevToolsAction.lockChanges DevToolsAction.unlockChanges
    DevToolsState DevToolsState.initial DevToolsState.connectionStatus disconnected connecting
    connected(host:port:) DevToolsState.discoveredServices DevToolsState.isBrowsing
    DevToolsState.stateHistory DevToolsState.actionHistory DevToolsState.skippedActionIds
    DevToolsState.currentActionIndex DevToolsState.isPaused DevToolsState.isLocked
    ConnectionMode ConnectionMode.manual ConnectionMode.autoConnect
    ConnectionMode.connectOnLaunch(host:port:) ConnectionMode.browseOnLaunch
    DevToolsEnvironment DevToolsEnvironment.live
    live(for:instanceId:instanceName:maxHistorySize:bonjourServiceType:encodeAction:connectionMode:)
    live(instanceId:encodeAction:encodeState:decodeState:) urlSession
    DevToolsEnvironment.resolveService DiscoveredService
    DiscoveredService.port MirrorJSON MirrorJSON.encode RemoteDevCommand ImportedLiftedState
    DevToolsBehavior behaviors Behavior prism init(extractDevToolsAction:restoreStateAction:)
    DevToolsConnectionManager
    """

  private static let swiftRex = """
    Reducer Reducer.reduce Reducer.identity <> lift(actionGetter:stateGetter:stateSetter:)
    lift(action:state:) IdentityMiddleware ReduxStoreBase
    MiddlewareReader AnyMiddleware StateProvider ReactiveWrappers
    ReduxStoreBase.init(subject:reducer:middleware:emitsValue:) combine(initialValue:)
    rx(initialValue:) reactive(initialValue:) statePublisher sink dispatch StoreType
    StoreType.ActionType StoreType.StateType StoreProjection projection(action:state:)
    Middleware Middleware.receiveContext(getState:output:)
    Middleware.handle(action:from:afterReducer:) GetState AnyActionHandler AnyCancellable
    ActionSource AfterReducer AfterReducer.do AfterReducer.doNothing AfterReducer.identity
    lift(inputAction:outputAction:state:) lift(inputAction:) lift(outputAction:) lift(state:)
    ignore identity absurd ObservableViewModel ObservableViewModel.state
    asObservableViewModel(initialState:) ComposedMiddleware LoggerMiddleware BridgeMiddleware
    ShakeMiddleware AppLifecycleMiddleware AppLifecycleAction CurrentValueSubject AnyPublisher
    NotificationCenter.publisher ObservedObject StateObject UIWindow.motionEnded
    """

  private static let remoteInspector = """
    RemoteInspector RemoteInspector.shared RemoteInspector.connect RemoteInspector.disconnect
    RemoteInspector.isConnected RemoteInspector.sendUpdate RemoteInspector.log RemoteInspector.url
    RemoteInspector.webSocketTask AnyEncodable RemoteInspectorSettingsView
    """

  private static let swiftyState = """
    SwiftyState SwiftyStateStoreProtocol SwiftyStateStore SwiftyStateStoreEquatable
    SwiftyState.setStore SwiftyState.getState SwiftyState.getRawState
    SwiftyAction SwiftyAction.reducer(state:) SwiftyState.action(a:force:) SwiftyState.subscribe
    SwiftySubscription SwiftySubscription.id SwiftySubscription.unsubscribe
    SwiftySubscription.hotStart SwiftyStateValidiator SwiftyStateValidiator.validiator
    SwiftyState.setStateValidiator SwiftyState.save SwiftyState.load SwiftyState.toJSON
    SwiftyState.toData SwiftyState.fromJSON SwiftyState.loadJSON SwiftyState.resetSavedState
    SwiftyState.startDebug SwiftyState.stopDebug SwiftyState.startEngine SwiftyState.stopEngine
    debugUIManager showDebugger showOnShake
    """
}
