internal import JSONTree
internal import Redaction
internal import SurfStore
internal import SurfThreads

/// Between a store and the machine.
struct StoreLink<Action: Sendable, State: Sendable>: Sendable {
  let store: Store<Action, State>
  /// Nil if only the store has it.
  let reducer: Reducer<Action, State>?
  let environment: DevToolsEnvironment
  let gate: Gate
  let post: Post<Action, State>
  let hooks: AppHooks<Action, State>

  /// Begins to take in steps, and before them the state that they build on.
  ///
  /// In this order nothing gets lost: a step between the two is part of that state, and the machine
  /// skips what comes before the state.
  func observe() -> [Subscription] {
    let (extract, post) = (hooks.extract, post)
    gate.tellRefusals { post.leave(.refused) }
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

  /// `state` with what no restore takes from the app: its connection, and what is redacted. Nil if
  /// the app has none of it there, or would tell it then.
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

/// What the machine may do to the app. Called on the machine's thread.
struct AppPort<Action: Sendable, State: Sendable>: Sendable {
  /// Puts the app into a state, and then leaves `restored` with the number in the mailbox, or
  /// `settled` if nothing came of it. Where the state as it was told has marks, the app keeps its
  /// values.
  let restore: @Sendable (State, _ told: JSON?, _ number: UInt) -> Void
  let dispatch: @Sendable (Action) -> Void
  /// Dispatches what concerns `DevTools`, and then leaves `emitted` with the number in the mailbox;
  /// nil if the app does not reduce it.
  let emit: (@Sendable (DevToolsAction, _ number: UInt) -> Void)?
  /// Makes the store refuse actions, or take them again.
  let lock: @Sendable (Bool) -> Void
  let publish: @Sendable (DevToolsState) -> Void
  /// Has a browser look for services; what it sees comes back as input with the number.
  let browse: @Sendable (_ type: String, _ number: UInt) -> any Sendable & AnyObject
  let mailbox: StepMailbox<Action, State>
  /// Runs actions again; nil if only the store has the reducer.
  let reducer: Reducer<Action, State>?
  /// What the app has against a state.
  let objection: @Sendable (State) -> Objection?
}
