// The shape of ReSwift 6, as far as an example of ours uses it.

public protocol Action {}

public typealias DispatchFunction = (any Action) -> Void
public typealias Reducer<State> = (_ action: any Action, _ state: State?) -> State
public typealias Middleware<State> =
  (@escaping DispatchFunction, @escaping () -> State?) -> (@escaping DispatchFunction) ->
  DispatchFunction

private struct Begin: Action {}

open class Store<State> {
  public private(set) var state: State?
  private let reducer: Reducer<State>
  public private(set) var dispatchFunction: DispatchFunction!

  public required init(
    reducer: @escaping Reducer<State>, state: State?, middleware: [Middleware<State>] = []
  ) {
    (self.reducer, self.state) = (reducer, state)
    var next: DispatchFunction = { [unowned self] in apply($0) }
    for middleware in middleware.reversed() {
      next = middleware({ [unowned self] in dispatch($0) }, { [unowned self] in self.state })(next)
    }
    dispatchFunction = next
    if state == nil { dispatch(Begin()) }
  }

  private func apply(_ action: any Action) { state = reducer(action, state) }

  open func dispatch(_ action: any Action) { dispatchFunction(action) }
}
