import SurfWire

// Unfinished data grows with what strangers send. Each session has bounds of its own; two more
// bound all sessions together (Protocol.md §13).
extension ObserverMachine {
  /// Octets of unfinished data, in all sessions.
  var unfinishedSize: Int { sources.values.reduce(0) { $0 + size($1) } }

  /// Once for each round: what comes in one is little.
  mutating func keepBudget(at now: Duration) {
    guard let source = beyondBudget else { return }
    let count = source.receiver.forgetUnfinished(at: now)
    counts.drop("unfinished", count: max(count, 1))
    drain(source)
  }

  /// The session that holds the most, of those that hold too much together.
  private var beyondBudget: Source? {
    let unproven = sources.values.filter { !$0.summary.isProven }
    let isTooMuch = unproven.reduce(0) { $0 + size($1) } > Limits.unprovenSizeMax
    if isTooMuch { return unproven.max { size($0) < size($1) } }
    guard unfinishedSize > Limits.unfinishedSizeMax else { return nil }
    return sources.values.max { size($0) < size($1) }
  }

  private func size(_ source: Source) -> Int { source.summary.unfinishedSize }
}
