import SurfStreams

/// The streams of `InboundStreams` on which no request has been admitted yet. An attacker could
/// fill all streams by staying silent or with refused requests, so new strangers evict old ones.
struct Strangers {
  /// Oldest first.
  private var waiting: [StreamID] = []
  /// Streams with a refused request. They go first: no client among them is about to speak.
  private var refused: [StreamID] = []

  /// - Returns: the stream to evict for it, if any.
  mutating func add(_ stream: StreamID) -> StreamID? {
    waiting.append(stream)
    guard waiting.count + refused.count > GatewayLimits.strangerCountMax else { return nil }
    return refused.isEmpty ? waiting.removeFirst() : refused.removeFirst()
  }

  /// Call when a stream has been admitted, or has closed.
  mutating func remove(_ stream: StreamID) {
    waiting.removeAll { $0 == stream }
    refused.removeAll { $0 == stream }
  }

  mutating func refuse(_ stream: StreamID) {
    remove(stream)
    refused.append(stream)
  }
}
