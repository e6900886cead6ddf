internal import SurfControl
package import SurfStore
internal import Synchronization

/// The operations that a `Controller` needs from a store, ours or the program's own. Each calls
/// `done` when the work is done, or with the reason why it never will be.
struct StorePort<Action: Sendable, State: Sendable>: Sendable {
  typealias Done = @Sendable (_ obstacle: RefusedCommand?) -> Void

  /// Dispatches an action in the name of a viewer, as if it were the program's own.
  let dispatch: @Sendable (Action, _ viewerName: String, _ done: @escaping Done) -> Void
  /// Calls the body with the state while nothing else changes it, and replaces the state if the
  /// body returns one. A store that can do so records `request`, the viewer's request, as the cause
  /// of the actions that its subscribers dispatch immediately.
  let revise:
    @Sendable (
      _ request: UInt64?, _ body: @escaping @Sendable (State) -> State?, _ done: @escaping Done
    ) -> Void
}

extension StorePort {
  init(_ store: Store<Action, State>) {
    dispatch = { action, viewerName, done in
      store.dispatch(action, from: ActionSource(viewer: viewerName))
      // In the turn after the action's, so that the answer follows the action's record.
      store.revise({ _ in nil }, completion: { done(nil) })
    }
    revise = { request, body, done in
      store.revise(body, id: request) { done(nil) }
    }
  }
}

// How viewers' requests get to the store.
extension Controller {
  /// Lets viewers change a `Store`.
  package func serve(_ store: Store<Action, State>) {
    // Weak: the store's observer leads here already.
    recorder.resetQueue.setHandler { [self, weak store] request, answer in
      guard let store else { return answer(.rejected(reason: "the store is gone")) }
      decide(request, in: StorePort(store), answer: answer)
    }
  }

  /// Lets viewers change a store of the program's own by two closures, which
  /// `StoreObserver.attach` describes.
  package func serve(
    dispatch: @escaping @Sendable (Action) async -> Void,
    revise:
      @escaping @Sendable (_ change: @escaping @Sendable (State) -> State?) async -> Void
  ) {
    let patience = ResetQueue.patience
    // A long import calls `revise` from a thread of its own.
    let turn = Mutex(())
    let port = StorePort<Action, State> { action, _, done in
      let obstacle = turn.withLock { _ in
        CommandTask.run(patience: patience, on: .main) { _ in await dispatch(action) }
      }
      done(obstacle)
    } revise: { _, body, done in
      let obstacle = turn.withLock { _ in
        CommandTask.run(patience: patience, on: .main) { task in
          await revise { state in task.begin() ? body(state) : nil }
        }
      }
      done(obstacle)
    }
    recorder.resetQueue.setHandler { [self] in decide($0, in: port, answer: $1) }
  }

  /// Called where a store of the program's own has its state, before it changes. False if a
  /// viewer's request leads here and has been given up.
  @discardableResult
  package func begin() -> Bool { CommandTask.current?.begin() ?? true }
}

extension Recorder {
  /// Releases the handler of requests and all that it holds, to break the cycle between the
  /// recorder and the handler. Later requests are refused.
  package func removeResetHandler() { resetQueue.removeHandler() }
}
