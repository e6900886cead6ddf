import SurfStreams

/// Streams that nobody has vouched for yet. Whoever filled all streams, by silence or with requests
/// that are refused, would keep everybody else out: so strangers make room for one another.
struct Strangers {
  /// The oldest first.
  private var waiting: [StreamID] = []
  /// Those that have their answer. They go first: whoever is about to speak is none of them.
  private var refused: [StreamID] = []

  /// - Returns: the one that must go for it, if any.
  mutating func add(_ stream: StreamID) -> StreamID? {
    waiting.append(stream)
    guard waiting.count + refused.count > GatewayLimits.strangerCountMax else { return nil }
    return refused.isEmpty ? waiting.removeFirst() : refused.removeFirst()
  }

  /// No stranger any more, or gone.
  mutating func remove(_ stream: StreamID) {
    waiting.removeAll { $0 == stream }
    refused.removeAll { $0 == stream }
  }

  mutating func refuse(_ stream: StreamID) {
    remove(stream)
    refused.append(stream)
  }
}
