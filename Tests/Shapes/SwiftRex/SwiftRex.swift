// Declarations of SwiftRex 0.8 that the example in Sources/Libraries.md uses.

infix operator <> : AdditionPrecedence

public struct Reducer<ActionType, StateType> {
  public let reduce: (ActionType, inout StateType) -> Void

  public static func reduce(
    _ reduce: @escaping (ActionType, inout StateType) -> Void
  ) -> Reducer {
    Reducer(reduce: reduce)
  }

  public static func <> (first: Reducer, second: Reducer) -> Reducer {
    Reducer { action, state in
      first.reduce(action, &state)
      second.reduce(action, &state)
    }
  }
}

public final class UnfailableReplayLastSubjectType<Element> {
  private var value: Element

  private init(_ value: Element) { self.value = value }

  public static func combine(initialValue: Element) -> UnfailableReplayLastSubjectType {
    UnfailableReplayLastSubjectType(initialValue)
  }

  @discardableResult
  public func mutate<Result>(_ action: (inout Element) -> Result) -> Result { action(&value) }
}

public struct IdentityMiddleware<InputActionType, OutputActionType, StateType> {
  public init() {}
}

open class ReduxStoreBase<ActionType, StateType> {
  private let subject: UnfailableReplayLastSubjectType<StateType>
  private let reducer: Reducer<ActionType, StateType>

  public init(
    subject: UnfailableReplayLastSubjectType<StateType>, reducer: Reducer<ActionType, StateType>,
    middleware: IdentityMiddleware<ActionType, ActionType, StateType>
  ) {
    (self.subject, self.reducer) = (subject, reducer)
  }

  public func dispatch(_ action: ActionType) { subject.mutate { reducer.reduce(action, &$0) } }
}
