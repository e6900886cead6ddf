public import SurfStore

/// A store or a view of one: it takes actions, and publishes its state.
///
/// Threads and ordering are those of the underlying `Store`.
public protocol StoreType<ActionType, StateType> {
  associatedtype ActionType: Sendable
  associatedtype StateType: Sendable

  /// Takes the actions. It keeps the store alive.
  var actionHandler: AnyActionHandler<ActionType> { get }
  /// Publishes the states. It keeps the store alive, but its tokens do not.
  var statePublisher: StatePublisher<StateType> { get }
}

extension StoreType {
  /// Dispatches `action` with this source.
  public func dispatch(_ action: ActionType, from source: ActionSource) {
    actionHandler.dispatch(action, from: source)
  }

  /// Dispatches `action` with the line of this call as its source.
  public func dispatch(
    _ action: ActionType, file: StaticString = #fileID, function: StaticString = #function,
    line: UInt = #line, info: String? = nil
  ) {
    dispatch(
      action, from: ActionSource(file: file, function: function, line: line, info: info))
  }

  /// Makes a handler that transforms actions and dispatches them. It drops an action if `transform`
  /// returns nil.
  public func mapAction<Other: Sendable>(
    _ transform: @escaping @Sendable (Other) -> ActionType?
  ) -> AnyActionHandler<Other> {
    actionHandler.mapAction(transform)
  }

  /// Makes a narrower store over this one, for a view.
  ///
  /// - Parameters:
  ///   - action: Makes this store's action of a view's action; nil drops it. A key path works.
  ///   - state: Makes the view's state of this store's state.
  public func projection<ViewAction: Sendable, ViewState: Sendable>(
    action: @escaping @Sendable (ViewAction) -> ActionType?,
    state: @escaping @Sendable (StateType) -> ViewState
  ) -> StoreProjection<ViewAction, ViewState> {
    StoreProjection(
      actionHandler: mapAction(action), statePublisher: statePublisher.map(state))
  }

  /// The same for an `Equatable` view state: the projection does not publish equal states.
  public func projection<ViewAction: Sendable, ViewState: Sendable & Equatable>(
    action: @escaping @Sendable (ViewAction) -> ActionType?,
    state: @escaping @Sendable (StateType) -> ViewState
  ) -> StoreProjection<ViewAction, ViewState> {
    StoreProjection(
      actionHandler: mapAction(action),
      statePublisher: statePublisher.map(state).removeDuplicates())
  }
}

/// A narrower store over another one, which translates actions and states.
public struct StoreProjection<ActionType: Sendable, StateType: Sendable>: StoreType, Sendable {
  /// Translates an action and passes it on.
  public let actionHandler: AnyActionHandler<ActionType>
  /// The translated states.
  public let statePublisher: StatePublisher<StateType>

  /// Makes a store from its two halves.
  public init(
    actionHandler: AnyActionHandler<ActionType>, statePublisher: StatePublisher<StateType>
  ) {
    self.actionHandler = actionHandler
    self.statePublisher = statePublisher
  }
}

extension Store: StoreType {
  /// Calls the store's `dispatch`.
  public var actionHandler: AnyActionHandler<Action> {
    AnyActionHandler { self.dispatch($0, from: $1) }
  }

  /// Calls the store's `subscribe`.
  public var statePublisher: StatePublisher<State> {
    StatePublisher { self.subscribe($0) }
  }
}
