/// The middleware of a store. Actions are shown to it on many threads, one at a time.
@usableFromInline
// Unchecked: the store takes over the only reference, and uses it in turns; its baton stands
// between two turns on different threads.
final class StoreMiddleware<Action: Sendable, State: Sendable>: @unchecked Sendable {
  private let contents: any Middleware<Action, Action, State>

  init(_ middleware: sending some Middleware<Action, Action, State>) {
    contents = middleware
  }

  func receiveContext(getState: @escaping GetState<State>, output: AnyActionHandler<Action>) {
    contents.receiveContext(getState: getState, output: output)
  }

  func handle(_ action: Action, from source: ActionSource) -> AfterReducer {
    var afterReducer = AfterReducer.doNothing
    contents.handle(action: action, from: source, afterReducer: &afterReducer)
    return afterReducer
  }
}
