// Declarations of SwiftRex 0.8 that the example in Sources/Libraries.md uses.

public struct Reducer<ActionType, StateType> {
  public let reduce: (ActionType, inout StateType) -> Void

  public static func reduce(
    _ reduce: @escaping (ActionType, inout StateType) -> Void
  ) -> Reducer {
    Reducer(reduce: reduce)
  }
}

public struct UnfailableReplayLastSubjectType<Element> {
  fileprivate let value: Element

  public static func combine(initialValue: Element) -> Self { Self(value: initialValue) }
}

public struct IdentityMiddleware<InputActionType, OutputActionType, StateType> {
  public init() {}
}

open class ReduxStoreBase<ActionType, StateType> {
  private var state: StateType
  private let reducer: Reducer<ActionType, StateType>

  public init(
    subject: UnfailableReplayLastSubjectType<StateType>, reducer: Reducer<ActionType, StateType>,
    middleware: IdentityMiddleware<ActionType, ActionType, StateType>
  ) {
    (state, self.reducer) = (subject.value, reducer)
  }

  public func dispatch(_ action: ActionType) { reducer.reduce(action, &state) }
}
