public import SurfStore

/// A store, or something that acts as one: it takes actions, and publishes its state.
///
/// The threads and their order are those of the `Store` behind it.
public protocol StoreType<ActionType, StateType> {
  /// What can be dispatched.
  associatedtype ActionType: Sendable
  /// What is published.
  associatedtype StateType: Sendable

  /// Where its actions go. It keeps the store alive.
  var actionHandler: AnyActionHandler<ActionType> { get }
  /// The current state, and those that follow. It keeps the store alive; the tokens that it gives
  /// do not.
  var statePublisher: StatePublisher<StateType> { get }
}

extension StoreType {
  /// Dispatches `action` as if `source` had.
  public func dispatch(_ action: ActionType, from source: ActionSource) {
    actionHandler.dispatch(action, from: source)
  }

  /// Dispatches `action` from the line of this call.
  public func dispatch(
    _ action: ActionType, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line, info: String? = nil
  ) {
    dispatch(
      action, from: ActionSource(file: file, function: function, line: line, info: info))
  }

  /// A handler of other actions: each is transformed and dispatched, unless `transform` returns
  /// nil.
  public func mapAction<Other: Sendable>(
    _ transform: @escaping @Sendable (Other) -> ActionType?
  ) -> AnyActionHandler<Other> {
    actionHandler.mapAction(transform)
  }

  /// A narrower store over this one, for a view.
  ///
  /// - Parameters:
  ///   - action: The action to dispatch for a narrow one; nil drops it. A key path will do.
  ///   - state: The narrow state for one of ours.
  public func projection<ViewAction: Sendable, ViewState: Sendable>(
    action: @escaping @Sendable (ViewAction) -> ActionType?,
    state: @escaping @Sendable (StateType) -> ViewState
  ) -> StoreProjection<ViewAction, ViewState> {
    StoreProjection(
      actionHandler: mapAction(action), statePublisher: statePublisher.map(state))
  }

  /// The same for a state that can be compared: the projection is silent while it stays equal.
  public func projection<ViewAction: Sendable, ViewState: Sendable & Equatable>(
    action: @escaping @Sendable (ViewAction) -> ActionType?,
    state: @escaping @Sendable (StateType) -> ViewState
  ) -> StoreProjection<ViewAction, ViewState> {
    StoreProjection(
      actionHandler: mapAction(action),
      statePublisher: statePublisher.map(state).removeDuplicates())
  }
}

/// A narrower store over another one: each action and state is translated.
public struct StoreProjection<ActionType: Sendable, StateType: Sendable>: StoreType, Sendable {
  /// Translates an action and passes it on.
  public let actionHandler: AnyActionHandler<ActionType>
  /// The translated states.
  public let statePublisher: StatePublisher<StateType>

  /// A store made of its two halves.
  public init(
    actionHandler: AnyActionHandler<ActionType>, statePublisher: StatePublisher<StateType>
  ) {
    self.actionHandler = actionHandler
    self.statePublisher = statePublisher
  }
}

extension Store: StoreType {
  /// The store's `dispatch`.
  public var actionHandler: AnyActionHandler<Action> {
    AnyActionHandler { self.dispatch($0, from: $1) }
  }

  /// The store's `subscribe`.
  public var statePublisher: StatePublisher<State> {
    StatePublisher { self.subscribe($0) }
  }
}
