internal import SurfControl
internal import SurfStore

/// The operations that a `Controller` needs of its store, ours or the program's own. Each calls
/// `done` when the work is done, or with the reason why it never will be.
struct StorePort<Action: Sendable, State: Sendable>: Sendable {
  typealias Done = @Sendable (_ obstacle: RefusedCommand?) -> Void

  /// Dispatches an action in the name of a viewer, as if it were the program's own.
  let dispatch: @Sendable (Action, _ viewerName: String, _ done: @escaping Done) -> Void
  /// Calls the body with the state while nothing else changes it, and replaces the state if the
  /// body returns one. A store that can do so records `request`, the viewer's request, as the cause
  /// of what its subscribers dispatch at once.
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
