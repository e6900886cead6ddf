public import SurfStore
internal import SurfThreads

/// What a `StatePublisher` gives for a closure, under the name that Combine has for it.
public typealias AnyCancellable = Subscription

/// The states of a store: the current one at once, then each that follows.
public struct StatePublisher<State: Sendable>: Sendable {
  private let subscribe: @Sendable (@escaping @Sendable (State) -> Void) -> Subscription

  /// A publisher that hands each closure to `subscribe`, which calls it with the current state at
  /// once, then with each new one, and never twice at the same time.
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

  /// Each state transformed, once for every subscriber.
  public func map<Other: Sendable>(
    _ transform: @escaping @Sendable (State) -> Other
  ) -> StatePublisher<Other> {
    StatePublisher<Other> { receive in sink { receive(transform($0)) } }
  }

  /// Without the states that are equal to the one delivered before.
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

  /// The states one after another. A slow reader misses those in between, but never the newest. The
  /// stream ends with the store.
  public var values: AsyncStream<State> {
    .listening(.bufferingNewest(1)) { receive in sink(receive) }
  }
}

extension StatePublisher where State: Equatable {
  /// Without the states that are equal to the one delivered before.
  public func removeDuplicates() -> StatePublisher { removeDuplicates(by: ==) }
}

/// The state that a subscriber heard last.
private final class LatestState<State: Sendable>: Sendable {
  private let content = Monitor<State?>(nil)

  var value: State? {
    get { content.withLock { $0 } }
    set {
      // Handed out, so that the old one is released without the lock.
      _ = content.withLock { content in
        defer { content = newValue }
        return content
      }
    }
  }
}
