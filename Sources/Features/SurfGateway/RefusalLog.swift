/// Tells a person who was turned away, once a minute at most: a flood must not fill a terminal.
struct RefusalLog {
  /// Those since the last line.
  private var untold: (last: AccessRefusal, count: Int)?
  /// Nil while nothing was told lately.
  private var quietUntil: Duration?

  mutating func add(_ refusal: AccessRefusal, at now: Duration) -> GatewayNote? {
    untold = (refusal, (untold?.count ?? 0) + 1)
    return quietUntil == nil ? tell(at: now) : nil
  }

  var deadline: Duration? { quietUntil }

  mutating func advance(to now: Duration) -> GatewayNote? {
    guard let quietUntil, quietUntil <= now else { return nil }
    self.quietUntil = nil
    return tell(at: now)
  }

  private mutating func tell(at now: Duration) -> GatewayNote? {
    guard let (last, count) = untold else { return nil }
    untold = nil
    quietUntil = now + GatewayLimits.refusalPause
    return .turnedAway(last.reason, count: count)
  }
}
