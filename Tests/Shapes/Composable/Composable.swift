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

@resultBuilder
public enum ReducerBuilder<State, Action> {
  public static func buildPartialBlock<R: Reducer<State, Action>>(first: R) -> R { first }

  public static func buildPartialBlock(
    accumulated: some Reducer<State, Action>, next: some Reducer<State, Action>
  ) -> some Reducer<State, Action> {
    Reduce { state, action in
      _ = accumulated.reduce(into: &state, action: action)
      return next.reduce(into: &state, action: action)
    }
  }
}

@MainActor
public final class Store<State, Action> {
  private var state: State
  private let reducer: any Reducer<State, Action>

  public init<Root: Reducer<State, Action>>(
    initialState: State, @ReducerBuilder<State, Action> _ reducer: () -> Root
  ) {
    (state, self.reducer) = (initialState, reducer())
  }

  public func send(_ action: Action) { _ = reducer.reduce(into: &state, action: action) }
}
