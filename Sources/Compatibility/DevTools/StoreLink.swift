internal import JSONTree
internal import Redaction
internal import SurfStore
internal import SurfThreads

/// Connects the app's store and the machine, in both directions.
struct StoreLink<Action: Sendable, State: Sendable>: Sendable {
  let store: Store<Action, State>
  /// Nil if only the store has the reducer.
  let reducer: Reducer<Action, State>?
  let environment: DevToolsEnvironment
  let gate: Gate
  let post: Post<Action, State>
  let hooks: AppHooks<Action, State>

  /// Starts observing steps, and then leaves the store's current state as the initial one.
  ///
  /// No step gets lost in this order: the initial state contains any step before it, and the
  /// machine skips steps until it has the initial state.
  func observe() -> [Subscription] {
    let (extract, post) = (hooks.extract, post)
    gate.observeRefusals { post.leave(.refused) }
    let rejections = store.observeRejections { rejection in
      if RestoreSource.made(rejection.source) { return }
      if EmittedSource.made(rejection.source) { return post.leave(.emitted(rejection.source.line)) }
      post.leave(.rejection(rejection.action, rejection.objection, at: wallNow() / 1_000_000))
    }
    let steps = store.observe { step in
      if EmittedSource.made(step.source) {
        post.leave(.emitted(step.source.line))
      } else if RestoreSource.made(step.source) {
        post.leave(.restored(step.source.line))
      } else if let action = extract?(step.action) {
        post.leave(.action(action))
      } else {
        post.leave(.step(step.action, step.state, at: wallNow() / 1_000_000))
      }
    }
    store.revise { state in
      post.leave(.initial(state))
      return nil
    }
    return [rejections, steps]
  }

  func port(publishing board: ObservableState) -> AppPort<Action, State> {
    let (store, gate, post, browser) = (store, gate, post, environment.browser)
    let emit = hooks.embed.map { embed in
      { @Sendable (action: DevToolsAction, number: UInt) in
        store.dispatch(embed(action), file: EmittedSource.file, line: number)
      }
    }
    return AppPort(
      restore: { restore($0, $1, $2) }, dispatch: { store.dispatch($0) },
      emit: emit,
      lock: { gate.lock($0) },
      publish: { state in board.set { $0 = state } },
      browse: { type, number in
        browser.browse(type) { post.send(.sighting($0, number)) }
      },
      mailbox: post.mailbox, reducer: reducer?.validated(by: store.validators),
      objection: { store.validators.objection(to: $0) })
  }

  private func restore(_ state: State, _ told: JSON?, _ number: UInt) {
    let hooks = hooks
    if let restoreAction = hooks.restoreAction {
      guard let state = kept(of: store.state, in: state, told) else {
        return post.leave(.settled(number))
      }
      store.dispatch(restoreAction(state), file: RestoreSource.file, line: number)
      store.revise { _ in
        nil
      } completion: { [post] in
        post.leave(.settled(number))
      }
    } else {
      let isRefused = Monitor(false)
      store.revise { current in
        let state = kept(of: current, in: state, told)
        isRefused.withLock { $0 = state == nil }
        return state
      } completion: { [post] in
        post.leave(isRefused.withLock { $0 } ? .settled(number) : .restored(number))
      }
    }
  }

  /// `state` with the app's own connection and redacted values. Nil if the app has no value for a
  /// mark, or if the result would reveal one.
  private func kept(of current: State, in state: State, _ told: JSON?) -> State? {
    guard let told, let decode = environment.decodeState else {
      return hooks.keepingConnection(of: current, in: state)
    }
    do throws(UnfilledMark) {
      let filled = try environment.filled(told, from: current)
      guard let state = decode(filled.clear.text()) as? State else { return nil }
      try environment.check(state, madeOf: filled)
      return hooks.keepingConnection(of: current, in: state)
    } catch {
      return nil
    }
  }
}

/// The operations of `DevToolsMachine` on the app, from the machine's thread.
struct AppPort<Action: Sendable, State: Sendable>: Sendable {
  /// Puts the app into a state, and then leaves `restored` with the number in the mailbox, or
  /// `settled` if that failed. Where `told`, the state as reported, has marks, the app keeps its
  /// own values.
  let restore: @Sendable (State, _ told: JSON?, _ number: UInt) -> Void
  let dispatch: @Sendable (Action) -> Void
  /// Dispatches an action of `DevTools` in the app's store, and then leaves `emitted` with the
  /// number in the mailbox. Nil if the app does not reduce such actions.
  let emit: (@Sendable (DevToolsAction, _ number: UInt) -> Void)?
  /// Locks or unlocks the store.
  let lock: @Sendable (Bool) -> Void
  let publish: @Sendable (DevToolsState) -> Void
  /// Starts a browse, whose sightings arrive as inputs with the number.
  let browse: @Sendable (_ type: String, _ number: UInt) -> any Sendable & AnyObject
  let mailbox: StepMailbox<Action, State>
  /// Replays actions. Nil if only the store has the reducer.
  let reducer: Reducer<Action, State>?
  /// The validators' objection to a state.
  let objection: @Sendable (State) -> Objection?
}
