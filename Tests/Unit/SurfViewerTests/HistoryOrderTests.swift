import SurfControl
import SurfTimeline
import SurfViewer
import SurfWire
import TestSupport
import Testing

@Suite struct HistoryOrderTests {
  private func revision(_ number: SequenceNumber, _ staging: Revision.Staging?) -> Record {
    let revision = Revision(
      command: "reorder", viewerName: "", isExact: true, isLocked: false, isPaused: false,
      staging: staging)
    return Record(
      sequence: number, kind: .revision, name: "reorder",
      payload: Content(type: "application/json", bytes: revision.json.bytes()))
  }

  private func rows(_ order: HistoryOrder) -> [UInt64] { order.steps.map(\.row.rawValue) }

  @Test func `without a rewrite it is the order in which actions came`() {
    var timeline = Timeline()
    timeline.append(action(1))
    timeline.append(Record(sequence: 2, kind: .log(.info), name: "no action"))
    timeline.append(action(3))
    let order = HistoryOrder(timeline)
    let wanted: [UInt64] = [1, 3]
    #expect(rows(order) == wanted && order.leftOutCount == 0)
  }

  @Test func `a revision arranges the rows from the oldest that it names`() {
    var timeline = Timeline()
    for number in 1...4 { timeline.append(action(SequenceNumber(UInt64(number)))) }
    let items = [4, 3].map { Revision.Item(row: $0, isSkipped: $0 == 3) }
    timeline.append(
      revision(5, Revision.Staging(oldest: 3, committed: nil, items: items, current: nil)))
    timeline.append(revision(6, nil))
    timeline.append(action(7))
    let order = HistoryOrder(timeline)
    let wanted: [UInt64] = [1, 2, 4, 3, 7]
    #expect(rows(order) == wanted && order.leftOutCount == 1)
    #expect(order.earlier(4) == .move(4, before: 2))
    #expect(order.later(4) == .move(4, before: 7))
    #expect(order.later(3) == .move(3, before: nil))
    #expect(order.earlier(1) == nil && order.later(7) == nil && order.later(5) == nil)
  }

  @Test func `a step earlier and then one later leaves the order as it was`() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<100 {
      let rows = (1...6).map { SequenceNumber(UInt64($0)) }.shuffled(using: &random)
      let row = rows[Int.random(in: 1..<6, using: &random)]
      let moved = apply(order(rows).earlier(row), to: rows)
      #expect(apply(order(moved).later(row), to: moved) == rows)
    }
  }

  private func order(_ rows: [SequenceNumber]) -> HistoryOrder {
    var timeline = Timeline()
    timeline.append(
      revision(
        9,
        Revision.Staging(
          oldest: 1, committed: nil, items: rows.map { Revision.Item(row: $0.rawValue) },
          current: nil)))
    return HistoryOrder(timeline)
  }

  private func apply(
    _ command: HistoryCommand<SequenceNumber>?, to rows: [SequenceNumber]
  ) -> [SequenceNumber] {
    guard case .move(let row, let before) = command else { return [] }
    var rows = rows.filter { $0 != row }
    rows.insert(row, at: before.flatMap { rows.firstIndex(of: $0) } ?? rows.endIndex)
    return rows
  }

  @Test func `each viewer that moved the app is told once, the last one first`() {
    var timeline = Timeline()
    for number in 1...3 { timeline.append(action(SequenceNumber(UInt64(number)))) }
    func move(_ viewer: UInt64, _ count: WireCount, _ outcome: Outcome.Result = .applied) {
      timeline.note(
        Restored(
          request: count.rawValue, viewer: ViewerID(rawValue: viewer), viewerName: "v\(viewer)",
          position: .record(1), newestRecord: 3, moveCount: count, outcome: outcome))
    }
    move(7, 1)
    move(8, 2)
    move(7, 3)
    move(9, 3, .busy)
    let names = ["v7", "v8"]
    #expect(timeline.movers.map(\.name) == names)
  }
}
