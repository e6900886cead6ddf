import SurfControl
import SurfDebugger
import SurfTimeline
import SurfWire
import TestSupport
import Testing

@Suite struct HistoryOrderTests {
  private func revision(_ number: SequenceNumber, _ staging: Revision.Staging?) -> Record {
    let revision = Revision(
      command: "reorder", viewerName: "", replay: .exact, isLocked: false, isPaused: false,
      staging: staging)
    return Record(
      sequence: number, kind: .revision, name: "reorder",
      payload: Content(type: "application/json", bytes: revision.json.bytes()))
  }

  private func rows(_ order: HistoryOrder) -> [UInt64] { order.steps.map(\.row.rawValue) }

  @Test func `without a rewrite it is the order in which actions came`() {
    var timeline = Timeline()
    timeline.append(.action(1))
    timeline.append(Record(sequence: 2, kind: .log(.info), name: "no action"))
    timeline.append(.action(3))
    let order = HistoryOrder(timeline)
    let wanted: [UInt64] = [1, 3]
    #expect(rows(order) == wanted && order.leftOutCount == 0)
  }

  @Test func `a revision arranges the rows from the oldest that it names`() {
    var timeline = Timeline()
    for number in 1...4 { timeline.append(.action(SequenceNumber(UInt64(number)))) }
    let items = [4, 3].map { Revision.Item(row: $0, isSkipped: $0 == 3) }
    timeline.append(
      revision(5, Revision.Staging(oldest: 3, committed: nil, items: items, current: nil)))
    timeline.append(revision(6, nil))
    timeline.append(.action(7))
    let order = HistoryOrder(timeline)
    let wanted: [UInt64] = [1, 2, 4, 3, 7]
    #expect(rows(order) == wanted && order.leftOutCount == 1)
    #expect(order.earlier(4) == .move(4, before: 2))
    #expect(order.later(4) == .move(4, before: 7))
    #expect(order.later(3) == .move(3, before: nil))
    #expect(order.earlier(1) == nil && order.later(7) == nil && order.later(5) == nil)
  }

  // MARK: What is not here

  /// Rows 1 to 5, a revision of the first four, and row 7; the contents up to a row made room.
  private func forgetful(upTo row: UInt64) -> Timeline {
    var bounds = Timeline.Bounds()
    bounds.byteCountMax = 1 << 20
    var timeline = Timeline(bounds: bounds)
    for number in 1...5 { timeline.append(.action(SequenceNumber(UInt64(number)))) }
    let items = [4, 2].map { Revision.Item(row: $0, isSkipped: $0 == 2) }
    timeline.append(
      revision(6, Revision.Staging(oldest: 1, committed: nil, items: items, current: nil)))
    timeline.append(.action(7))
    timeline.append(.action(8))
    timeline.forgetContents(upTo: SequenceNumber(row))
    return timeline
  }

  @Test func `a revision that made room leaves the rows before it in doubt`() {
    let order = HistoryOrder(forgetful(upTo: 6))
    let row: SequenceNumber = 6
    #expect(order.unknownUpTo == row && !order.isCertain && order.certainCount == 2)
    #expect(!order.isCertain(around: 4, isLater: false))
    #expect(!order.isCertain(around: 7, isLater: false))
    #expect(order.isCertain(around: 7, isLater: true))
    #expect(order.isCertain(around: 8, isLater: false))
    let known = HistoryOrder(forgetful(upTo: 0))
    #expect(
      known.unknownUpTo == nil && known.isCertain && known.isCertain(around: 7, isLater: false))
  }

  @Test func `a later revision of all rows ends the doubt, one of some moves it`() {
    for (oldest, doubt) in [(1, nil), (4, 4), (7, 6)] as [(UInt64, SequenceNumber?)] {
      var timeline = forgetful(upTo: 6)
      let items = [8, 7].map { Revision.Item(row: $0) }
      timeline.append(
        revision(9, Revision.Staging(oldest: oldest, committed: nil, items: items, current: nil)))
      #expect(HistoryOrder(timeline).unknownUpTo == doubt)
    }
  }

  @Test func `rows that are not here make a count uncertain, unless all were told`() {
    var timeline = forgetful(upTo: 0)
    timeline.lose(9...9)
    timeline.append(.action(10))
    #expect(!HistoryOrder(timeline).isCertain)
    timeline.append(
      revision(
        11, Revision.Staging(oldest: 0, committed: nil, items: [.init(row: 10)], current: nil)))
    #expect(HistoryOrder(timeline).isCertain)
  }

  @Test func `an action has no certain neighbour across rows that are not here`() {
    var timeline = Timeline()
    for number in [3, 4, 7, 8] as [SequenceNumber] { timeline.append(.action(number)) }
    let order = HistoryOrder(timeline)
    #expect(order.unknownUpTo == 7 && order.certainCount == 2)
    for row in [3, 4, 7] as [SequenceNumber] {
      #expect(!order.isCertain(around: row, isLater: false), "row \(row)")
      #expect(order.isCertain(around: row, isLater: true) == (row == 7), "row \(row)")
    }
    #expect(order.isCertain(around: 8, isLater: false))
    timeline.lose(9...9)
    let cut = HistoryOrder(timeline)
    #expect(!cut.isCertain(around: 7, isLater: true) && !cut.isCertain(around: 8, isLater: true))
    var first = Timeline()
    first.append(.action(2))
    #expect(!HistoryOrder(first).isCertain(around: 2, isLater: false))
    first.append(.action(1))
    #expect(HistoryOrder(first).isCertain(around: 1, isLater: false))
  }

  /// Against the definition: whichever rewrites came, an order is continued by later actions, and
  /// by nothing else that a person would see.
  @Test(arguments: 0..<200)
  func `an order is continued as long as nobody rewrites it`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var timeline = forgetful(upTo: 0)
    let asked = HistoryOrder(timeline)
    var (number, isRewritten): (UInt64, Bool) = (8, false)
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      number += 1
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        let items = HistoryOrder(timeline).steps.shuffled(using: &random)
          .map { Revision.Item(row: $0.row.rawValue, isSkipped: $0.isLeftOut) }
        timeline.append(
          revision(
            SequenceNumber(number),
            Revision.Staging(oldest: 1, committed: nil, items: items, current: nil)))
        let rows = items.map { SequenceNumber($0.row) }.filter { $0 <= 8 }
        isRewritten = rows != asked.steps.map(\.row)
      case 1: timeline.append(Record(sequence: SequenceNumber(number), kind: .log(.info), name: ""))
      case 2: timeline.append(revision(SequenceNumber(number), nil))
      default: timeline.append(.action(SequenceNumber(number)))
      }
    }
    #expect(HistoryOrder(timeline).continues(asked) == !isRewritten)
    timeline.forgetContents(upTo: 6)
    if !isRewritten { #expect(HistoryOrder(timeline).continues(asked)) }
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
}

extension Timeline {
  /// As if contents up to a row had made room: each newer one is as large as the bounds allow.
  fileprivate mutating func forgetContents(upTo number: SequenceNumber) {
    var limit = byteCount
    while limit > 0, row(number)?.record.payload != nil {
      limit -= 1
      trim(toBytes: limit)
    }
  }
}
