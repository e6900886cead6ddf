public import SurfStore

/// Where a `ReduxStoreBase` starts. Every spelling means the same: a store replays its latest state
/// to each new subscriber.
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

/// When a `ReduxStoreBase` tells its subscribers of a state. Each hears the current one at once in
/// any case.
public enum ShouldEmitValue<State: Sendable>: Sendable {
  /// After each action and each restore.
  case always
  /// When `isNews` says so of the state that the subscriber heard last and the new one.
  case when(_ isNews: @Sendable (State, State) -> Bool)
  /// Not at all, and the reducer is skipped: only middlewares and observers see the actions.
  case never
}

extension ShouldEmitValue where State: Equatable {
  /// When the state is not equal to the one before.
  public static var whenDifferent: ShouldEmitValue { .when { $0 != $1 } }
}

/// A store to be subclassed, as users of SwiftRex know it; it does all its work by `store`.
///
/// It is not `Sendable`, because a subclass need not be. Other threads take `store`, or a
/// projection.
open class ReduxStoreBase<ActionType: Sendable, StateType: Sendable>: StoreType {
  /// The store at work; here `statePublisher` tells of each state, whatever `emitsValue` says.
  public let store: Store<ActionType, StateType>
  /// Where actions go.
  public let actionHandler: AnyActionHandler<ActionType>
  /// The states, as `emitsValue` lets them through.
  public let statePublisher: StatePublisher<StateType>

  /// A store of its own.
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

  /// Another face of a store that exists, such as one that viewers watch.
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

  /// The states that a subscriber is to hear.
  fileprivate func filter(_ publisher: StatePublisher<State>) -> StatePublisher<State> {
    switch self {
    case .always: publisher
    case .when(let isNews): publisher.removeDuplicates { !isNews($0, $1) }
    case .never: publisher.removeDuplicates { _, _ in true }
    }
  }
}
