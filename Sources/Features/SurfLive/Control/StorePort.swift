internal import SurfControl
internal import SurfStore

/// What a history needs of its store; each closure calls `done` when its work has happened, or with
/// the reason why it never will.
struct StorePort<Action: Sendable, State: Sendable>: Sendable {
  typealias Done = @Sendable (_ obstacle: RefusedCommand?) -> Void

  /// Runs an action as if it were the program's own; it comes from the viewer of this name.
  let dispatch: @Sendable (Action, _ viewerName: String, _ done: @escaping Done) -> Void
  /// Calls the body with the state while nothing else changes it, and replaces the state if the
  /// body returns one. A viewer's request that this obeys is the cause of what the store's
  /// subscribers do at once, if the store can tell.
  let revise:
    @Sendable (
      _ request: UInt64?, _ body: @escaping @Sendable (State) -> State?, _ done: @escaping Done
    ) -> Void
}

extension StorePort {
  init(_ store: Store<Action, State>) {
    dispatch = { action, viewerName, done in
      store.dispatch(action, from: ActionSource(viewer: viewerName))
      // In the turn after the action's, so that an answer follows the action's record.
      store.revise({ _ in nil }, completion: { done(nil) })
    }
    revise = { request, body, done in
      store.revise(body, id: request) { done(nil) }
    }
  }
}
