public import Observation
internal import SurfStore
internal import SurfThreads

/// A store for a view, which holds the latest state for it.
///
/// Any thread may call any member. Those who observe `state`, as SwiftUI does, are told on the
/// thread that drains the store.
public final class ObservableViewModel<ActionType: Sendable, StateType: Sendable>: StoreType,
  Observable, Sendable
{
  /// Where actions go.
  public let actionHandler: AnyActionHandler<ActionType>
  /// The states, as they come.
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
      // Handed out, so that the old one is released without the lock.
      _ = content.withLock { content in
        defer { content.state = state }
        return content.state
      }
    }
  }
}

extension StoreType {
  /// A model for a view.
  ///
  /// - Parameter initialState: What it shows until the store tells it the current state: at once,
  ///   unless another thread is using the store.
  public func asObservableViewModel(
    initialState: StateType
  ) -> ObservableViewModel<ActionType, StateType> {
    ObservableViewModel(initialState: initialState, of: self)
  }

  /// The same for a state that can be compared: it changes only when it is different.
  public func asObservableViewModel(
    initialState: StateType
  ) -> ObservableViewModel<ActionType, StateType> where StateType: Equatable {
    ObservableViewModel(
      initialState: initialState,
      of: StoreProjection(
        actionHandler: actionHandler, statePublisher: statePublisher.removeDuplicates()))
  }
}
