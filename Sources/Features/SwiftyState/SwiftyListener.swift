internal import SurfStore
internal import SurfThreads

/// A closure that the store calls with each change, but not with the state that it begins with.
final class SwiftyListener: Sendable {
  private struct Listening: Sendable {
    /// What the store calls first is no change.
    var hasBegun = false
    var isCancelled = false
    var subscription: Subscription?
  }

  let body: SwiftySubscription.Body
  private let listening = Monitor(Listening())

  init(_ body: @escaping SwiftySubscription.Body) { self.body = body }

  func hear(_ held: HeldState) {
    let isLater = listening.withLock { listening in
      defer { listening.hasBegun = true }
      return listening.hasBegun && !listening.isCancelled
    }
    guard isLater, held.isNews, let state = held.state else { return }
    body(state, held.previous)
  }

  /// Keeps what keeps it listening, unless it was cancelled meanwhile.
  func keep(_ subscription: Subscription) {
    let isCancelled = listening.withLock { listening in
      if !listening.isCancelled { listening.subscription = subscription }
      return listening.isCancelled
    }
    if isCancelled { subscription.cancel() }
  }

  func cancel() {
    let subscription = listening.withLock { listening in
      listening.isCancelled = true
      return listening.subscription.take()
    }
    subscription?.cancel()
  }
}

/// A closure that is told of each row.
final class RowObserver: Sendable {
  let body: @Sendable (SwiftyRow) -> Void

  init(_ body: @escaping @Sendable (SwiftyRow) -> Void) { self.body = body }
}
