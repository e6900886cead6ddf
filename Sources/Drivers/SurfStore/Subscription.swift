internal import Synchronization

/// Keeps a closure listening, to a store or to anything else, until `cancel()` or until the last
/// reference is dropped.
///
/// A store's keeps neither the store nor the closure alive, so the closure may hold it without a
/// cycle that outlives `cancel()`.
public final class Subscription: Sendable {
  private let isCancelled = Atomic(false)
  private let onCancel: @Sendable () -> Void

  /// A token that calls `onCancel` once, when it is cancelled or dropped.
  public init(onCancel: @escaping @Sendable () -> Void) {
    self.onCancel = onCancel
  }

  /// Stops the calls; a second `cancel()` is harmless. From any thread, even from inside the
  /// closure.
  ///
  /// No call begins after this returns; one under way on another thread may still be finishing.
  public func cancel() {
    if !isCancelled.exchange(true, ordering: .acquiringAndReleasing) { onCancel() }
  }

  deinit { cancel() }
}

/// A closure that can be silenced while others hold it for a call.
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
  /// What `listen` hears, until the reader goes, or until nobody can be heard any more.
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

/// Ends a stream with the last listener that writes to it.
private final class StreamWriter<Element: Sendable>: Sendable {
  let continuation: AsyncStream<Element>.Continuation

  init(_ continuation: AsyncStream<Element>.Continuation) { self.continuation = continuation }

  deinit { continuation.finish() }
}
