import ReduxDevTools

/// What to tell panels of one app, no faster than they can take it in.
///
/// A panel redraws its whole history for every frame: at fifty a second, one frame for each action
/// freezes it. Messages that come close together go out as one whole history, as the panel's own
/// client sends them.
struct Outbox {
  private var pending: [PanelMessage] = []
  /// When all that was sent is paid for.
  private var paidAt = Duration.zero

  var isEmpty: Bool { pending.isEmpty }
  /// When what is pending may leave; nil if nothing is.
  var deadline: Duration? {
    isEmpty ? nil : paidAt - GatewayLimits.frameInterval * (GatewayLimits.frameBurst - 1)
  }

  /// Adds a message to those that wait, or makes one of all.
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

  /// A panel was shown the history as it is now: what waits would come twice.
  mutating func wasShown() {
    if !isEmpty { pending = [.whole] }
  }

  mutating func take(at now: Duration) -> [PanelMessage] {
    guard let deadline, deadline <= now else { return [] }
    defer { pending = [] }
    return pending
  }

  /// No panel watches.
  mutating func discard() { pending = [] }

  mutating func wasSent(_ message: PanelMessage, _ octetCount: Int, at now: Duration) {
    let interval = GatewayLimits.frameInterval
    // A pointer draws no row anew.
    let least = if case .lifted = message { interval / 10 } else { interval }
    paidAt = max(paidAt, now) + max(least, interval * octetCount / GatewayLimits.frameSize)
  }
}

extension PanelMessage {
  fileprivate var isAction: Bool { if case .action = self { true } else { false } }
}
