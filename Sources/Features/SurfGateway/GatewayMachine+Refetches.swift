import ReduxDevTools
import SurfWire

// Having from apps once more what the gateway's memory had to drop, and somebody looks at.
extension GatewayMachine {
  /// A panel that begins is shown an app.
  mutating func look(at session: SessionID, at now: Duration) {
    guard let rows = apps[session]?.instance.droppedInView, !rows.isEmpty else { return }
    apps[session]?.refetches.look(at: rows)
    refetch(session, at: now)
  }

  /// A panel jumps to a row whose state is not here; its pointer stays there until that comes.
  mutating func jump(toDropped row: SequenceNumber, of session: SessionID, at now: Duration) {
    if apps[session]?.refetches.jump(to: row) == true { apps[session]?.unanswered += 1 }
    refetch(session, at: now)
  }

  private mutating func refetch(_ session: SessionID, at now: Duration) {
    guard let row = apps[session]?.refetches.begin(at: now) else { return }
    request(.refetch(session, row...row))
  }

  /// These rows have come once more, or cannot be had.
  mutating func refetched(
    _ rows: ClosedRange<SequenceNumber>, of session: SessionID, at now: Duration
  ) {
    guard let app = apps[session], let row = app.refetches.underWay, rows.contains(row) else {
      return
    }
    if apps[session]?.refetches.end() == true {
      apps[session]?.unanswered = max(0, app.unanswered - 1)
      for reply in app.instance.jump(toFetched: row) {
        carryOut(reply, of: session, from: nil, at: now)
      }
      settle(session, at: now)
    }
    refetch(session, at: now)
  }

  /// An app of which the gateway has forgotten everything is back, and the observer has told what
  /// it did before: what came since then is told to nobody again who does not ask.
  mutating func refetchUnloaded(_ session: SessionID) {
    guard apps[session]?.isForgotten == true else { return }
    apps[session]?.isForgotten = false
    if let rows = apps[session]?.instance.unloaded { request(.refetch(session, rows)) }
  }
}
