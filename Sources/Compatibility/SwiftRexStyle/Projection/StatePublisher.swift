public import SurfStore
internal import SurfThreads

/// The token of a `StatePublisher` or `EventSource`, under Combine's name for it.
public typealias AnyCancellable = Subscription

/// Publishes the states of a store: the current one, then each new one.
public struct StatePublisher<State: Sendable>: Sendable {
  private let subscribe: @Sendable (@escaping @Sendable (State) -> Void) -> Subscription

  /// Makes a publisher of `subscribe`, which must call the given closure with the current state,
  /// then with each new one, and never concurrently. A store that is idle calls it before it
  /// returns; one that is busy, soon after.
  public init(
    subscribe: @escaping @Sendable (@escaping @Sendable (State) -> Void) -> Subscription
  ) {
    self.subscribe = subscribe
  }

  /// Calls `receive` with the current state, then with each new one, on the thread that drains the
  /// store, until the token is cancelled or dropped.
  public func sink(_ receive: @escaping @Sendable (State) -> Void) -> AnyCancellable {
    subscribe(receive)
  }

  /// Transforms each state, once for every subscriber.
  public func map<Other: Sendable>(
    _ transform: @escaping @Sendable (State) -> Other
  ) -> StatePublisher<Other> {
    StatePublisher<Other> { receive in sink { receive(transform($0)) } }
  }

  /// Leaves out states that equal the last one delivered.
  public func removeDuplicates(
    by areEqual: @escaping @Sendable (State, State) -> Bool
  ) -> StatePublisher {
    StatePublisher { receive in
      let latest = LatestState<State>()
      return sink { state in
        if let previous = latest.value, areEqual(previous, state) { return }
        latest.value = state
        receive(state)
      }
    }
  }

  /// The states as a stream, which ends with the store. A slow reader misses states in between, but
  /// never the newest.
  public var values: AsyncStream<State> {
    .listening(.bufferingNewest(1)) { receive in sink(receive) }
  }
}

extension StatePublisher where State: Equatable {
  /// Leaves out states that equal the last one delivered.
  public func removeDuplicates() -> StatePublisher { removeDuplicates(by: ==) }
}

/// The state that a subscriber got last.
private final class LatestState<State: Sendable>: Sendable {
  private let content = Monitor<State?>(nil)

  var value: State? {
    get { content.withLock { $0 } }
    set {
      // Returns the old state, so that it is released outside the lock.
      _ = content.withLock { content in
        defer { content = newValue }
        return content
      }
    }
  }
}
