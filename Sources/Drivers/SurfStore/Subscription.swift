internal import Synchronization

/// Keeps a closure subscribed, to a store or to anything else, until `cancel()` or until the last
/// reference to this token is dropped.
///
/// A store's token keeps neither the store nor the closure alive. The closure may hold the token:
/// that cycle ends with `cancel()`.
public final class Subscription: Sendable {
  private let isCancelled = Atomic(false)
  private let onCancel: @Sendable () -> Void

  package var isActive: Bool { !isCancelled.load(ordering: .acquiring) }

  /// A token that calls `onCancel` once, when it is cancelled or dropped.
  public init(onCancel: @escaping @Sendable () -> Void) {
    self.onCancel = onCancel
  }

  /// Stops the calls. Safe from any thread, even from inside the closure, and more than once.
  ///
  /// No call begins after this returns. A call on another thread may still be finishing.
  public func cancel() {
    if !isCancelled.exchange(true, ordering: .acquiringAndReleasing) { onCancel() }
  }

  deinit { cancel() }
}

/// A closure that can be deactivated while others hold it and are about to call it.
@usableFromInline
package final class Listener<Value>: Sendable {
  private let active = Atomic(true)
  private let body: @Sendable (Value) -> Void

  @usableFromInline
  package init(_ body: @escaping @Sendable (Value) -> Void) {
    self.body = body
  }

  var isActive: Bool { active.load(ordering: .acquiring) }

  package func cancel() { active.store(false, ordering: .releasing) }

  @usableFromInline
  package func callAsFunction(_ value: Value) {
    if isActive { body(value) }
  }
}

extension AsyncStream where Element: Sendable {
  /// Every value that `listen` passes on, until the reader stops or the last listener is released.
  package static func listening(
    _ limit: Continuation.BufferingPolicy,
    to listen: (@escaping @Sendable (Element) -> Void) -> Subscription
  ) -> AsyncStream {
    AsyncStream(bufferingPolicy: limit) { continuation in
      let writer = StreamWriter(continuation)
      let subscription = listen { writer.continuation.yield($0) }
      continuation.onTermination = { _ in subscription.cancel() }
    }
  }
}

/// Ends the stream when the last listener that writes to it is released.
private final class StreamWriter<Element: Sendable>: Sendable {
  let continuation: AsyncStream<Element>.Continuation

  init(_ continuation: AsyncStream<Element>.Continuation) { self.continuation = continuation }

  deinit { continuation.finish() }
}
