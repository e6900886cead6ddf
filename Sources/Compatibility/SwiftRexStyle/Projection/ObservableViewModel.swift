public import Observation
internal import SurfStore
internal import SurfThreads

/// An observable store for a view, which holds the latest state.
///
/// Any thread may use any member. The thread that drains the store notifies the observers of
/// `state`, such as SwiftUI.
public final class ObservableViewModel<ActionType: Sendable, StateType: Sendable>: StoreType,
  Observable, Sendable
{
  /// Takes the actions.
  public let actionHandler: AnyActionHandler<ActionType>
  /// Publishes the states.
  public let statePublisher: StatePublisher<StateType>
  private let registrar = ObservationRegistrar()
  private let content: Monitor<Content>

  private struct Content: Sendable {
    var state: StateType
    var subscription: Subscription?
  }

  init(initialState: StateType, of store: some StoreType<ActionType, StateType>) {
    actionHandler = store.actionHandler
    statePublisher = store.statePublisher
    content = Monitor(Content(state: initialState))
    let subscription = statePublisher.sink { [weak self] in self?.take($0) }
    content.withLock { $0.subscription = subscription }
  }

  /// The latest state.
  public var state: StateType {
    registrar.access(self, keyPath: \.state)
    return content.withLock { $0.state }
  }

  private func take(_ state: StateType) {
    registrar.withMutation(of: self, keyPath: \.state) {
      // Returns the old state, so that it is released outside the lock.
      _ = content.withLock { content in
        defer { content.state = state }
        return content.state
      }
    }
  }
}

extension StoreType {
  /// Makes a model for a view.
  ///
  /// - Parameter initialState: The state until the store delivers the current one: immediately,
  ///   unless another thread is using the store.
  public func asObservableViewModel(
    initialState: StateType
  ) -> ObservableViewModel<ActionType, StateType> {
    ObservableViewModel(initialState: initialState, of: self)
  }

  /// The same for an `Equatable` state: the model ignores equal states.
  public func asObservableViewModel(
    initialState: StateType
  ) -> ObservableViewModel<ActionType, StateType> where StateType: Equatable {
    ObservableViewModel(
      initialState: initialState,
      of: StoreProjection(
        actionHandler: actionHandler, statePublisher: statePublisher.removeDuplicates()))
  }
}
