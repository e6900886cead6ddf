internal import JSONTree
internal import Redaction
internal import SurfStore
internal import SurfThreads

/// Connects the app's store and the machine, in both directions. The machine calls the store from
/// its own thread.
struct StoreLink<Action: Sendable, State: Sendable>: Sendable {
  let store: Store<Action, State>
  /// Nil if only the store has the reducer.
  let reducer: Reducer<Action, State>?
  let environment: DevToolsEnvironment
  let gate: Gate
  let mailbox: StepMailbox<Action, State>
  let hooks: AppHooks<Action, State>
  /// Publishes the machine's state.
  let board: Store<Never, DevToolsState>

  /// Starts observing steps, and then leaves the store's current state as the initial one.
  ///
  /// No step gets lost in this order: the initial state contains any step before it, and the
  /// machine skips steps until it has the initial state.
  func observe() -> [Subscription] {
    let (extract, mailbox) = (hooks.extract, mailbox)
    gate.observeRefusals(by: Listener { mailbox.leave(.refused) })
    let rejections = store.observeRejections { rejection in
      if RestoreSource.made(rejection.source) { return }
      if EmittedSource.made(rejection.source) {
        return mailbox.leave(.emitted(rejection.source.line))
      }
      mailbox.leave(.rejection(rejection.action, rejection.objection, at: wallNow() / 1_000_000))
    }
    let steps = store.observe { step in
      if EmittedSource.made(step.source) {
        mailbox.leave(.emitted(step.source.line))
      } else if RestoreSource.made(step.source) {
        mailbox.leave(.restored(step.source.line))
      } else if let action = extract?(step.action) {
        mailbox.leave(.action(action))
      } else {
        mailbox.leave(.step(step.action, step.state, at: wallNow() / 1_000_000))
      }
    }
    store.revise { state in
      mailbox.leave(.initial(state))
      return nil
    }
    return [rejections, steps]
  }

  /// Replays actions. Nil if only the store has the reducer.
  var replay: Reducer<Action, State>? { reducer?.validated(by: store.validators) }

  /// The validators' objection to a state.
  func objection(to state: State) -> Objection? { store.validators.objection(to: state) }

  func dispatch(_ action: Action) { store.dispatch(action) }

  /// Whether the app reduces actions of `DevTools`.
  var takesEmissions: Bool { hooks.embed != nil }

  /// Dispatches an action of `DevTools` in the app's store, and then leaves `emitted` with the
  /// number in the mailbox.
  func emit(_ action: DevToolsAction, _ number: UInt) {
    guard let embed = hooks.embed else { return }
    store.dispatch(embed(action), file: EmittedSource.file, line: number)
  }

  /// Starts a browse, whose sightings arrive as inputs with the number.
  func browse(_ type: String, _ number: UInt) -> any Sendable & AnyObject {
    environment.browser.browse(type) { [mailbox] in mailbox.send(.sighting($0, number)) }
  }

  /// Puts the app into a state, and then leaves `restored` with the number in the mailbox, or
  /// `settled` if that failed. Where `told`, the state as reported, has marks, the app keeps its
  /// own values.
  func restore(_ state: State, _ told: JSON?, _ number: UInt) {
    let hooks = hooks
    if let restoreAction = hooks.restoreAction {
      guard let state = kept(of: store.state, in: state, told) else {
        return mailbox.leave(.settled(number))
      }
      store.dispatch(restoreAction(state), file: RestoreSource.file, line: number)
      store.revise { _ in
        nil
      } completion: { [mailbox] in
        mailbox.leave(.settled(number))
      }
    } else {
      let isRefused = Monitor(false)
      store.revise { current in
        let state = kept(of: current, in: state, told)
        isRefused.withLock { $0 = state == nil }
        return state
      } completion: { [mailbox] in
        mailbox.leave(isRefused.withLock { $0 } ? .settled(number) : .restored(number))
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
