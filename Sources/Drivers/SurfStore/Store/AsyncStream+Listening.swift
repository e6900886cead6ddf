extension AsyncStream where Element: Sendable {
  /// What `listen` hears, until the reader goes, or until nobody can be heard any more.
  static func listening(
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
