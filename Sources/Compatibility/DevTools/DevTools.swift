internal import SurfSockets
public import SurfStore
internal import SurfStreams
internal import SurfThreads

/// Connects a store to a Redux DevTools relay, so that a panel can watch its actions and travel
/// through their history.
///
/// It works on its own thread: on the app's threads it only copies each step. Its thread also
/// restores states and dispatches a panel's actions, and may then call the store's listeners.
/// `state` lags behind `dispatch` accordingly.
///
/// Release it to end the connection. Without the trait `Live` it does nothing: no thread, no
/// socket, no listener.
public final class DevTools<Action: Sendable, State: Sendable>: Sendable {
  /// The watched store.
  public let store: Store<Action, State>
  /// Holds `state`, and calls its subscribers.
  private let board = Store<Never, DevToolsState>(
    initial: DevToolsState(), reducer: .reduce { _, _ in })
  #if Live
    private let loop: StreamLoop<DevToolsMachine<Action, State>>?
    private let subscriptions: [Subscription]
  #endif

  /// Watches an existing store. A panel cannot lock it or replay its actions: for that, use
  /// `init(initial:reducer:)`, which makes a store. The existing store has its own validators, and
  /// its own setting for whether a restore cancels effects.
  ///
  /// - Parameters:
  ///   - extractDevToolsAction: Returns the action for `DevTools` inside an action of the app, if
  ///     any. `DevTools` performs it, and does not record it.
  ///   - embedDevToolsAction: The inverse. `DevTools` dispatches events of the connection and a
  ///     panel's commands this way, for `DevToolsState.reducer` inside the app's reducer.
  ///   - devToolsState: The place of that reducer's state in the app's state. Jumps keep it.
  ///   - restoreStateAction: Makes an action that replaces the state, for an app that reduces it
  ///     itself. By default `DevTools` restores as `Store.restore` does. Neither is recorded.
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
  /// skips an action, the actions after it run again.
  ///
  /// - Parameters:
  ///   - validators: Check each state that an action leads to or a panel restores. The panel shows
  ///     a rejected action with the reason. Replaying it changes nothing either.
  ///   - cancelsEffectsOnRestore: Whether a panel's restore cancels running effects, because they
  ///     belong to another past. An app with a `restoreStateAction` cancels them itself.
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
      let mailbox = StepMailbox<Action, State>()
      let link = StoreLink(
        store: store, reducer: reducer, environment: environment, gate: gate, mailbox: mailbox,
        hooks: hooks, board: board)
      var limits = StreamLimits()
      limits.unsentMax = 4 * environment.historySizeMax + (32 << 20)
      do throws(SocketError) {
        let loop = try StreamLoop<DevToolsMachine<Action, State>>(
          listeners: [], name: "surf-devtools", limits: limits
        ) {
          DevToolsMachine(
            environment: environment, app: link, random: { UInt64.random(in: .min ... .max) },
            wallTime: { wallNow() / 1_000_000 })
        }
        self.loop = loop
        mailbox.connect(loop)
        subscriptions = link.observe()
      } catch {
        loop = nil
        subscriptions = []
        var state = DevToolsState()
        state.failure = "\(error)"
        board.restore(state)
      }
    #endif
  }

  /// Queues `action` for the thread of `DevTools`. Any thread may call it.
  public func dispatch(_ action: DevToolsAction) {
    #if Live
      loop?.send(.action(action))
    #endif
  }

  /// The current state, for a debug screen.
  public var state: DevToolsState { board.state }

  /// Calls `body` with the current state, then after each change, in order, until the result is
  /// released: on the thread of `DevTools`, or on one that is inside this call. Unless another body
  /// is running, the first call has been made when this returns.
  public func subscribe(_ body: @escaping @Sendable (DevToolsState) -> Void) -> Subscription {
    board.subscribe(body)
  }
}

/// The closures that reduce actions of `DevTools`, in an app that does so.
struct AppHooks<Action: Sendable, State: Sendable>: Sendable {
  let extract: (@Sendable (Action) -> DevToolsAction?)?
  let embed: (@Sendable (DevToolsAction) -> Action)?
  let restoreAction: (@Sendable (State) -> Action)?
  let devToolsState: (any WritableKeyPath<State, DevToolsState> & Sendable)?

  /// `state` with the `DevToolsState` of `current`, so that a jump does not end the connection.
  func keepingConnection(of current: State, in state: State) -> State {
    guard let devToolsState else { return state }
    var state = state
    state[keyPath: devToolsState] = current[keyPath: devToolsState]
    return state
  }
}
