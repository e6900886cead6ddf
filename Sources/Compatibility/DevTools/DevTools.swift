internal import SurfSockets
public import SurfStore
internal import SurfStreams
internal import SurfThreads

/// Connects a store to a Redux DevTools relay, so that a panel can watch its actions and travel in
/// their history.
///
/// All of it happens on a thread of its own: where the app dispatches, `DevTools` only copies the
/// step. That thread also restores states and dispatches what a panel asks for, and then calls the
/// store's listeners. `state` lags behind `dispatch` by as long as that takes.
///
/// Releasing it ends the connection. Without the trait `Live` there is none: no thread, no socket,
/// no listener.
public final class DevTools<Action: Sendable, State: Sendable>: Sendable {
  /// The watched store.
  public let store: Store<Action, State>
  private let board = ObservableState()
  #if Live
    private let loop: StreamLoop<DevToolsMachine<Action, State>>?
    private let subscriptions: [Subscription]
  #endif

  /// Watches a store. A panel cannot lock its actions, and they are not run again:
  /// `init(initial:reducer:)` makes a store that allows both. The store knows its validators, and
  /// whether a restore cancels its effects.
  ///
  /// - Parameters:
  ///   - extractDevToolsAction: The action for `DevTools` inside an action of the app, if any:
  ///     `DevTools` performs it, and does not record it.
  ///   - embedDevToolsAction: The way back: `DevTools` dispatches what happens to the connection,
  ///     and what a panel has done, for `DevToolsState.reducer` inside the app's own.
  ///   - devToolsState: Where the app's state has what that reducer keeps. No jump touches it.
  ///   - restoreStateAction: An action that replaces the state, for an app that reduces it itself;
  ///     without it, `DevTools` calls `Store.restore`. Neither is recorded.
  public convenience init(
    _ store: Store<Action, State>, environment: DevToolsEnvironment = .live(),
    extractDevToolsAction: (@Sendable (Action) -> DevToolsAction?)? = nil,
    embedDevToolsAction: (@Sendable (DevToolsAction) -> Action)? = nil,
    devToolsState: (any WritableKeyPath<State, DevToolsState> & Sendable)? = nil,
    restoreStateAction: (@Sendable (State) -> Action)? = nil
  ) {
    self.init(
      store, nil, Gate(), environment,
      AppHooks(
        extract: extractDevToolsAction, embed: embedDevToolsAction,
        restoreAction: restoreStateAction, devToolsState: devToolsState))
  }

  /// Makes a store, `store`, that refuses actions while the panel has locked it. When the panel
  /// leaves an action out, those after it run again.
  ///
  /// - Parameters:
  ///   - validators: The rules for each state that an action leads to or a panel brings. The panel
  ///     shows a rejected action with the reason; run again, it still changes nothing.
  ///   - cancelsEffectsOnRestore: Whether a state that the panel restores cancels the effects that
  ///     are running, because they belong to another past. An app with a `restoreStateAction`
  ///     cancels them itself.
  public convenience init(
    initial: State, reducer: Reducer<Action, State>, validators: [Validator<State>] = [],
    environment: DevToolsEnvironment = .live(),
    extractDevToolsAction: (@Sendable (Action) -> DevToolsAction?)? = nil,
    embedDevToolsAction: (@Sendable (DevToolsAction) -> Action)? = nil,
    devToolsState: (any WritableKeyPath<State, DevToolsState> & Sendable)? = nil,
    restoreStateAction: (@Sendable (State) -> Action)? = nil,
    cancelsEffectsOnRestore: Bool = false
  ) {
    let gate = Gate()
    let store = Store(
      initial: initial, reducer: reducer, validators: validators,
      cancelsEffectsOnRestore: cancelsEffectsOnRestore
    ) { action, source in
      if gate.admits(source) || extractDevToolsAction?(action) != nil { return true }
      gate.refused()
      return false
    }
    self.init(
      store, reducer, gate, environment,
      AppHooks(
        extract: extractDevToolsAction, embed: embedDevToolsAction,
        restoreAction: restoreStateAction, devToolsState: devToolsState))
  }

  private init(
    _ store: Store<Action, State>, _ reducer: Reducer<Action, State>?, _ gate: Gate,
    _ environment: DevToolsEnvironment, _ hooks: AppHooks<Action, State>
  ) {
    self.store = store
    #if Live
      let post = Post<Action, State>()
      let link = StoreLink(
        store: store, reducer: reducer, environment: environment, gate: gate, post: post,
        hooks: hooks)
      let port = link.port(publishing: board)
      var limits = StreamLimits()
      limits.unsentMax = 4 * environment.historySizeMax + (32 << 20)
      do throws(SocketError) {
        let loop = try StreamLoop<DevToolsMachine<Action, State>>(
          listeners: [], name: "surf-devtools", limits: limits
        ) {
          DevToolsMachine(
            environment: environment, app: port, random: { UInt64.random(in: .min ... .max) },
            wallTime: { wallNow() / 1_000_000 })
        }
        self.loop = loop
        post.connect(loop)
        subscriptions = link.observe()
      } catch {
        loop = nil
        subscriptions = []
        board.set { $0.failure = "\(error)" }
      }
    #endif
  }

  /// Performs `action` soon, on the thread of `DevTools`; from any thread.
  public func dispatch(_ action: DevToolsAction) {
    #if Live
      loop?.send(.action(action))
    #endif
  }

  /// The state to show.
  public var state: DevToolsState { board.state }

  /// Calls `body` with the state, and after each change of it, until the token is released.
  public func subscribe(_ body: @escaping @Sendable (DevToolsState) -> Void) -> DevToolsSubscription
  {
    board.subscribe(body)
  }
}

/// Keeps a closure informed until it is released.
public final class DevToolsSubscription: Sendable {
  private let onCancel: @Sendable () -> Void

  init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

  deinit { onCancel() }

  /// Ends the calls; one under way may still be finishing.
  public func cancel() { onCancel() }
}

/// Where an app keeps what concerns `DevTools`, if it does.
struct AppHooks<Action: Sendable, State: Sendable>: Sendable {
  let extract: (@Sendable (Action) -> DevToolsAction?)?
  let embed: (@Sendable (DevToolsAction) -> Action)?
  let restoreAction: (@Sendable (State) -> Action)?
  let devToolsState: (any WritableKeyPath<State, DevToolsState> & Sendable)?

  /// `state`, with the connection as it is now: a jump does not end it.
  func keepingConnection(of current: State, in state: State) -> State {
    guard let devToolsState else { return state }
    var state = state
    state[keyPath: devToolsState] = current[keyPath: devToolsState]
    return state
  }
}

/// The state to show, and its watchers.
final class ObservableState: Sendable {
  private struct Content {
    var state = DevToolsState()
    var listeners: [UInt: @Sendable (DevToolsState) -> Void] = [:]
    var last: UInt = 0
  }

  private let content = Monitor(Content())

  var state: DevToolsState { content.withLock { $0.state } }

  func set(_ change: (inout DevToolsState) -> Void) {
    let (state, listeners) = content.withLock { content in
      change(&content.state)
      return (content.state, content.listeners.sorted { $0.key < $1.key }.map(\.value))
    }
    for listener in listeners { listener(state) }
  }

  func subscribe(_ body: @escaping @Sendable (DevToolsState) -> Void) -> DevToolsSubscription {
    let (number, state) = content.withLock { content in
      content.last &+= 1
      content.listeners[content.last] = body
      return (content.last, content.state)
    }
    body(state)
    return DevToolsSubscription { [weak self] in
      self?.content.withLock { $0.listeners[number] = nil }
    }
  }
}
