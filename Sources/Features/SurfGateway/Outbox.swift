import ReduxDevTools

/// Queues one app's messages for panels, and paces them, for `GatewayApp`.
///
/// A panel redraws its whole history for every frame: fifty frames a second would freeze it. So
/// messages that are close together become one whole history, as in the panel's own client.
struct Outbox {
  private var pending: [PanelMessage] = []
  /// When everything sent so far is paid for.
  private var paidAt = Duration.zero

  var isEmpty: Bool { pending.isEmpty }
  /// When the pending messages may be sent, if any.
  var deadline: Duration? {
    isEmpty ? nil : paidAt - GatewayLimits.frameInterval * (GatewayLimits.frameBurst - 1)
  }

  /// Queues a message, or merges it with those that wait.
  mutating func add(_ message: PanelMessage) {
    switch message {
    case .whole: pending = [.whole]
    case _ where pending == [.whole]: return
    case .action where pending.contains(where: \.isAction): pending = [.whole]
    case .lifted:
      if case .lifted? = pending.last { pending.removeLast() }
      pending.append(message)
    case .action, .error, .export: pending.append(message)
    }
  }

  /// Call after showing a panel the current history, because pending messages would repeat part of
  /// it.
  mutating func wasShown() {
    if !isEmpty { pending = [.whole] }
  }

  mutating func take(at now: Duration) -> [PanelMessage] {
    guard let deadline, deadline <= now else { return [] }
    defer { pending = [] }
    return pending
  }

  /// Drops everything pending, because the app has left.
  mutating func discard() { pending = [] }

  mutating func wasSent(_ message: PanelMessage, _ octetCount: Int, at now: Duration) {
    let interval = GatewayLimits.frameInterval
    // For a move of the pointer a panel redraws no row.
    let least = if case .lifted = message { interval / 10 } else { interval }
    paidAt = max(paidAt, now) + max(least, interval * octetCount / GatewayLimits.frameSize)
  }
}

extension PanelMessage {
  fileprivate var isAction: Bool { if case .action = self { true } else { false } }
}
