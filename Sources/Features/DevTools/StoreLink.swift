internal import SurfControl
internal import SurfSockets
internal import SurfStore

/// Between a store with its types and the machine, which knows of JSON alone.
struct StoreLink<Action: Sendable, State: Sendable>: Sendable {
  let store: Store<Action, State>
  let environment: DevToolsEnvironment
  let gate: Gate
  let post: Post
  let extract: (@Sendable (Action) -> DevToolsAction?)?
  let restoreAction: (@Sendable (State) -> Action)?
  /// The state at the start.
  private let initial = Guarded<State?>(nil)

  init(
    store: Store<Action, State>, environment: DevToolsEnvironment, gate: Gate, post: Post,
    extract: (@Sendable (Action) -> DevToolsAction?)?,
    restoreAction: (@Sendable (State) -> Action)?
  ) {
    self.store = store
    self.environment = environment
    self.gate = gate
    self.post = post
    self.extract = extract
    self.restoreAction = restoreAction
  }

  /// Begins to take in steps, and before them the state that they build on.
  ///
  /// In this order nothing gets lost: a step between the two is part of that state, and the
  /// machine passes over what comes before it.
  func observe() -> Subscription {
    let (extract, encoding, post, initial) = (extract, environment, post, initial)
    gate.tellRefusals { post.leave(.refused) }
    let subscription = store.observe { step in
      if step.source.file == RestoreSource.file.description {
        post.leave(.restored(step.source.line))
      } else if let action = extract?(step.action) {
        post.leave(.action(action))
      } else {
        let time = wallNow() / 1_000_000
        post.leave(
          .step {
            History.Step(
              action: encoding.encodeAction(step.action),
              state: encoding.encodeState(step.state), time: time)
          })
      }
    }
    store.revise { state in
      initial.withLock { $0 = state }
      post.leave(.initial { encoding.encodeState(state) })
      return nil
    }
    return subscription
  }

  func port(publishing board: StateBoard) -> AppPort {
    let (gate, post, browser) = (gate, post, environment.browser)
    return AppPort(
      restore: { restore($0, $1) }, dispatch: { dispatch($0) }, lock: { gate.lock($0) },
      publish: { state in board.set { $0 = state } },
      browse: { type, number in
        browser.browse(type) { post.send(.sighting($0, number)) }
      },
      mailbox: post.mailbox)
  }

  private func restore(_ text: String?, _ number: UInt) -> String? {
    let state: State
    if let text {
      guard let decode = environment.decodeState else {
        return "this app cannot travel: its environment has no decodeState"
      }
      guard let decoded = decode(text) as? State else {
        return "the state cannot be restored: it does not decode as \(State.self)"
      }
      state = decoded
    } else {
      guard let first = initial.withLock({ $0 }) else { return "the app has not begun" }
      state = first
    }
    if let restoreAction {
      store.dispatch(restoreAction(state), file: RestoreSource.file, line: number)
      store.revise { _ in
        nil
      } completion: { [post] in
        post.leave(.settled(number))
      }
    } else {
      store.restore(state) { [post] in post.leave(.restored(number)) }
    }
    return nil
  }

  private func dispatch(_ text: String) -> String? {
    do throws(RefusedCommand) {
      store.dispatch(try ActionDecoder.decode(try ActionDecoder.parse(text), as: Action.self))
      return nil
    } catch {
      return error.description
    }
  }
}
