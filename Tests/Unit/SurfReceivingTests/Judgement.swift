import SurfTransport
import SurfWire

extension Simulation {
  /// The faults in the viewers' logs; empty if all is well.
  func check(allowsLoss: Bool) -> [String] {
    var all = problems
    for (index, viewer) in viewers.enumerated() {
      if viewer.logs[sender.session] == nil { all.append("viewer \(index) has not joined") }
      for (session, log) in viewer.logs {
        let name = "viewer \(index), session \(session == sender.session ? "present" : "past"): "
        all += log.problems(sent: sent[session] ?? [], allowsLoss: allowsLoss).map { name + $0 }
      }
    }
    return all
  }
}

extension SimulatedViewer.Log {
  func problems(sent: [Record], allowsLoss: Bool) -> [String] {
    var all: [String] = []
    let newest = SequenceNumber(sent.count)
    let sequences = records.map(\.sequence)
    if Set(sequences).count != sequences.count { all.append("a record came twice") }
    for record in records where record != sent[Int(record.sequence) - 1] {
      // A state whose base was lost cannot be rebuilt.
      if allowsLoss, record.state == .unmade { continue }
      all.append("record \(record.sequence) differs")
    }
    let live = sequences.filter { $0 >= boundary && !recovered.contains($0) }
    if live != live.sorted() { all.append("live records are out of order") }
    let wished = first <= newest ? Set(first...newest) : []
    let lostOnes = lost.flatMap { Array($0) }
    if !allowsLoss, !lost.isEmpty { all.append("lost \(lost)") }
    if Set(lostOnes).count != lostOnes.count { all.append("lost twice: \(lost)") }
    if !Set(lostOnes).isDisjoint(with: sequences) { all.append("lost and here: \(lost)") }
    let missing = wished.subtracting(sequences).subtracting(lostOnes)
    if !missing.isEmpty { all.append("missing \(missing.sorted())") }
    if caughtUpCount != 1 { all.append("caught up \(caughtUpCount) times") }
    let requests = restored.map(\.request)
    if Set(requests).count != requests.count { all.append("a restore was told twice") }
    return all
  }
}

/// What many simulations cost, added up.
struct Tally: CustomStringConvertible {
  var droppedDown = 0
  var droppedUp = 0
  var served = 0
  var fromViewers = 0
  var failedChecks = 0
  var naks = 0
  var counters = Sender.Counters()
  /// From the last record's sending to its last viewer.
  var delays: [Duration] = []
  var lost = 0

  mutating func add(_ simulation: Simulation) {
    droppedDown += simulation.network.droppedDown
    droppedUp += simulation.network.droppedUp
    served += simulation.servedCount
    let receivers = simulation.viewers.flatMap { $0.logs.values.map(\.receiver.counters) }
    fromViewers += receivers.reduce(0) { $0 + $1.packetsFromViewers }
    failedChecks += receivers.reduce(0) { $0 + $1.failedChecks }
    naks += simulation.viewers.reduce(0) { $0 + $1.naksSent }
    counters += simulation.totals
    let last = simulation.viewers.flatMap { $0.logs.values.map(\.lastDelivery) }.max()
    delays.append((last ?? .zero) - simulation.lastSend)
    lost += simulation.viewers.flatMap { $0.logs.values.flatMap(\.lost) }.count
  }

  var meanDelay: Duration { delays.reduce(.zero, +) / max(delays.count, 1) }

  var description: String {
    """
    dropped \(droppedDown) down, \(droppedUp) up; NAKs \(naks), repairs \(counters.repairsSent), \
    history \(counters.historySent), data \(counters.dataSent), \
    heartbeats \(counters.heartbeatsSent), unavailable \(counters.unavailablePackets), \
    lost \(lost), served \(served), from viewers \(fromViewers), proofs \(counters.proofsSent), \
    failed checks \(failedChecks); delay mean \(meanDelay), max \(delays.max() ?? .zero)
    """
  }
}
