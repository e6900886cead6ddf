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
