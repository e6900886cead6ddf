public import SurfStore

/// The initial state of a `ReduxStoreBase`. All spellings mean the same: a store replays its latest
/// state to each new subscriber.
public struct StateSubject<State: Sendable>: Sendable {
  let initial: State

  /// Starts with `initial`.
  public static func initial(_ initial: State) -> StateSubject { StateSubject(initial: initial) }

  /// Starts with `initialValue`.
  public static func combine(initialValue: State) -> StateSubject { .initial(initialValue) }

  /// Starts with `initialValue`.
  public static func rx(initialValue: State) -> StateSubject { .initial(initialValue) }

  /// Starts with `initialValue`.
  public static func reactive(initialValue: State) -> StateSubject { .initial(initialValue) }
}

/// Which states a `ReduxStoreBase` sends to its subscribers. Each subscriber immediately gets the
/// current one in any case.
public enum ShouldEmitValue<State: Sendable>: Sendable {
  /// After each action and each restore.
  case always
  /// If `isNews` returns true for the state that the subscriber got last and the new one.
  case when(_ isNews: @Sendable (State, State) -> Bool)
  /// None. The store skips the reducer as well, so only middlewares and observers see the actions.
  case never
}

extension ShouldEmitValue where State: Equatable {
  /// If the state is not equal to the one before.
  public static var whenDifferent: ShouldEmitValue { .when { $0 != $1 } }
}

/// A base class for stores, as in SwiftRex. `store` does all the work.
///
/// It is not `Sendable`, because a subclass need not be. Other threads use `store` or a projection.
open class ReduxStoreBase<ActionType: Sendable, StateType: Sendable>: StoreType {
  /// The underlying store. Its own `statePublisher` sends every state, whatever `emitsValue` says.
  public let store: Store<ActionType, StateType>
  /// Takes the actions.
  public let actionHandler: AnyActionHandler<ActionType>
  /// Publishes the states that `emitsValue` lets through.
  public let statePublisher: StatePublisher<StateType>

  /// Makes a new store.
  public init(
    subject: StateSubject<StateType>, reducer: Reducer<ActionType, StateType>,
    middleware: sending some Middleware<ActionType, ActionType, StateType>,
    emitsValue: ShouldEmitValue<StateType> = .always
  ) {
    store = Store(
      initial: subject.initial, reducer: emitsValue.isNever ? .identity : reducer,
      middleware: middleware)
    actionHandler = store.actionHandler
    statePublisher = emitsValue.filter(store.statePublisher)
  }

  /// Wraps an existing store, such as one that viewers watch.
  public init(_ store: Store<ActionType, StateType>) {
    self.store = store
    actionHandler = store.actionHandler
    statePublisher = store.statePublisher
  }

  /// The state after the latest step or restore.
  public var state: StateType { store.state }
}

extension ShouldEmitValue {
  fileprivate var isNever: Bool { if case .never = self { true } else { false } }

  fileprivate func filter(_ publisher: StatePublisher<State>) -> StatePublisher<State> {
    switch self {
    case .always: publisher
    case .when(let isNews): publisher.removeDuplicates { !isNews($0, $1) }
    case .never: publisher.removeDuplicates { _, _ in true }
    }
  }
}
