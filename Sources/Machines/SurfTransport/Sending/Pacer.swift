/// A token bucket whose rate drops when viewers cannot keep up (Protocol.md §12). `Sender` and a
/// viewer's `Repairer` have one each.
///
/// The rate follows the share of repaired packets: additive increase, multiplicative decrease. A
/// few per cent mean a lossy link, which a lower rate does not fix. A quarter means a viewer that
/// is overrun. The windows of viewers that report bound the stream; then the rate is only a
/// safeguard.
package struct Pacer: Sendable {
  /// Octets a second.
  private(set) var rate: Double
  /// The limit while no viewer reports its progress.
  private let rateMax: Double
  private var hasWindows = false
  private var tokens: Double
  /// For data that must leave although a window is closed.
  private var trickle: Double
  private var refilledAt: Duration = .zero
  private var judgedAt: Duration = .zero
  private var sent = 0
  private var repaired = 0

  /// Half of a default receive buffer, as measured. A larger burst would overflow it.
  static let burst = 64.0 * 1_024
  /// No viewer can slow the stream below this. A viewer that cannot keep up gets gaps.
  static let rateMin = 8.0 * 1_024 * 1_024
  /// More than a memory bus carries: windows bound the stream.
  static let windowedRateMax = 4_096.0 * 1_024 * 1_024

  package init(rateMax: Double) {
    self.rateMax = max(rateMax, Self.rateMin)
    rate = self.rateMax
    tokens = Self.burst
    trickle = Self.burst
  }

  /// Whether viewers report their progress.
  mutating func note(hasWindows: Bool) {
    guard hasWindows != self.hasWindows else { return }
    self.hasWindows = hasWindows
    rate = limit
  }

  package mutating func maySpend(at now: Duration) -> Bool {
    refill(at: now)
    return tokens > 0
  }

  /// Whether something may leave although a viewer's window is closed.
  mutating func mayTrickle(at now: Duration) -> Bool {
    refill(at: now)
    return trickle > 0
  }

  package mutating func spend(_ size: Int, count: Int, isRepair: Bool) {
    tokens -= Double(size)
    if isRepair { repaired += count } else { sent += count }
  }

  /// Stream data is leaving. Repairs and history do not count, or a viewer that requests all of the
  /// past would hold up the stream.
  mutating func spendTrickle(_ size: Int) {
    trickle = max(trickle - Double(size), -Self.burst)
  }

  /// When there will be tokens again.
  package func ready(at now: Duration) -> Duration {
    tokens > 0 ? now : refilledAt + .seconds((1 - tokens) / rate)
  }

  /// When something may trickle again.
  func trickleReady(at now: Duration) -> Duration {
    trickle > 0 ? now : refilledAt + .seconds((1 - trickle) / Self.rateMin)
  }

  private var limit: Double { hasWindows ? Self.windowedRateMax : rateMax }

  private mutating func refill(at now: Duration) {
    guard now > refilledAt else { return }
    let elapsed = (now - refilledAt).inSeconds
    tokens = min(Self.burst, tokens + elapsed * rate)
    trickle = min(Self.burst, trickle + elapsed * Self.rateMin)
    refilledAt = now
    guard now - judgedAt >= Timers.judgement else { return }
    judge(elapsed: (now - judgedAt).inSeconds)
    (sent, repaired, judgedAt) = (0, 0, now)
  }

  /// With windows, no viewer lacks buffers. Then only the loss of more than every second packet
  /// means anything: the link cannot carry this much.
  private mutating func judge(elapsed: Double) {
    let isDrowning = repaired * (hasWindows ? 1 : 4) > sent && sent > 64
    if isDrowning {
      let actual = Double(sent) * 1_472 / elapsed
      rate = max(Self.rateMin, min(rate, hasWindows ? actual : rate) * 0.7)
    } else {
      rate = min(limit, rate * (hasWindows ? 1.5 : 1.05))
    }
  }
}

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }
}

/// When a `Sender`'s next heartbeat is due (Protocol.md §10.2): soon after data, then less and less
/// often, but always within the longest interval, however busy the stream is.
struct HeartbeatClock: Sendable {
  private var interval = Timers.heartbeatMax
  private var next = Duration.zero
  private var last: Duration?

  var due: Duration { last.map { min(next, $0 + Timers.heartbeatMax) } ?? .zero }

  mutating func dataWasSent(at now: Duration) {
    interval = Timers.heartbeatMin
    next = now + interval
  }

  mutating func heartbeatWasSent(at now: Duration) {
    last = now
    interval = min(interval * 2, Timers.heartbeatMax)
    next = now + interval
  }

  /// A viewer has asked. One heartbeat answers many viewers.
  mutating func hasten(at now: Duration) {
    next = min(next, max(now, (last ?? .zero) + Timers.probeSpacing))
  }
}
