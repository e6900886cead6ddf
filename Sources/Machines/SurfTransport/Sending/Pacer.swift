/// A token bucket whose rate yields when viewers cannot follow (Protocol.md §12).
///
/// Additive increase, multiplicative decrease on the share of repaired packets: a few per cent mean
/// a lossy link, which slowing down would not mend; a quarter means a viewer that drowns. Viewers
/// that report bound the stream by their windows; then the rate is only a safeguard.
package struct Pacer: Sendable {
  /// Octets a second.
  private(set) var rate: Double
  /// While no viewer reports.
  private let rateMax: Double
  private var hasWindows = false
  private var tokens: Double
  /// For data that a closed window must not hold up.
  private var trickle: Double
  private var refilledAt: Duration = .zero
  private var judgedAt: Duration = .zero
  private var sent = 0
  private var repaired = 0

  /// Half of a default receive buffer, as measured: more at once would overrun it.
  static let burst = 64.0 * 1_024
  /// No viewer may slow the stream below this; a viewer that cannot follow it gets gaps.
  static let rateMin = 8.0 * 1_024 * 1_024
  /// More than a memory bus carries: windows bound the stream.
  static let windowedRateMax = 4_096.0 * 1_024 * 1_024

  package init(rateMax: Double) {
    self.rateMax = max(rateMax, Self.rateMin)
    rate = self.rateMax
    tokens = Self.burst
    trickle = Self.burst
  }

  /// Whether viewers report how far they are.
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

  /// Data of the stream is leaving. What others asked for takes nothing of this: a viewer that asks
  /// for all of the past would hold up the stream by that.
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

  /// With windows no viewer drowns for want of room: only losing more than every second packet then
  /// means a link that cannot carry this much.
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

/// When the next heartbeat is due (Protocol.md §10.2): soon after data, then ever more seldom, but
/// never later than the longest interval, however busy the stream is.
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

  /// A viewer asked. One answer serves a crowd.
  mutating func hasten(at now: Duration) {
    next = min(next, max(now, (last ?? .zero) + Timers.probeSpacing))
  }
}
