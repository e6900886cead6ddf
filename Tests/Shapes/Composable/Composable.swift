// The shape of the Composable Architecture 1, as far as an example of ours uses it.

public protocol Reducer<State, Action> {
  associatedtype State
  associatedtype Action
  func reduce(into state: inout State, action: Action) -> Effect<Action>
}

public struct Reduce<State, Action>: Reducer {
  private let body: (inout State, Action) -> Effect<Action>

  public init(_ body: @escaping (inout State, Action) -> Effect<Action>) { self.body = body }

  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    body(&state, action)
  }
}

public struct Effect<Action> {
  public static var none: Effect { Effect() }
}

@MainActor
public final class Store<State, Action> {
  private var state: State
  private let reducer: any Reducer<State, Action>

  public init<Root: Reducer<State, Action>>(initialState: State, _ reducer: () -> Root) {
    (state, self.reducer) = (initialState, reducer())
  }

  public func send(_ action: Action) { _ = reducer.reduce(into: &state, action: action) }
}
