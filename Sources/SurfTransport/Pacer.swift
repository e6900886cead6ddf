/// A token bucket whose rate yields when viewers cannot follow (Protocol.md §12).
///
/// Additive increase, multiplicative decrease on the share of packets that had to be repaired: a
/// few per cent are a lossy link, which slowing down would not mend; a quarter is somebody
/// drowning.
struct Pacer: Sendable {
  /// Octets a second.
  private(set) var rate: Double
  private let rateMax: Double
  private var tokens: Double
  private var refilledAt: Duration = .zero
  private var judgedAt: Duration = .zero
  private var sent = 0
  private var repaired = 0

  /// Half of a default receive buffer, as measured: more at once would overrun it.
  static let burst = 64.0 * 1_024
  /// No viewer may slow the stream below this; who cannot follow it gets gaps.
  static let rateMin = 8.0 * 1_024 * 1_024
  private static let interval = Duration.milliseconds(100)

  init(rateMax: Double) {
    self.rateMax = max(rateMax, Self.rateMin)
    rate = self.rateMax
    tokens = Self.burst
  }

  mutating func maySpend(at now: Duration) -> Bool {
    refill(at: now)
    return tokens > 0
  }

  mutating func spend(_ size: Int, isRepair: Bool) {
    tokens -= Double(size)
    if isRepair { repaired += 1 } else { sent += 1 }
  }

  /// When there will be tokens again.
  func ready(at now: Duration) -> Duration {
    tokens > 0 ? now : refilledAt + .seconds((1 - tokens) / rate)
  }

  private mutating func refill(at now: Duration) {
    guard now > refilledAt else { return }
    tokens = min(Self.burst, tokens + (now - refilledAt).inSeconds * rate)
    refilledAt = now
    guard now - judgedAt >= Self.interval else { return }
    let isDrowning = repaired * 4 > sent && sent > 64
    rate = isDrowning ? max(Self.rateMin, rate * 0.7) : min(rateMax, rate * 1.05)
    (sent, repaired, judgedAt) = (0, 0, now)
  }
}

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}
