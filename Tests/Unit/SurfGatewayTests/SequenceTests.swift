import Foundation
import JSONTree
import SurfGateway
import SurfObserver
import SurfWire
import TestSupport
import Testing

/// An app as the gateway hears it, and as two panels must show it.
private final class StoryApp {
  enum Place: Equatable {
    case beginning
    case row(SequenceNumber)
    case elsewhere
  }

  let session = SessionID(rawValue: 0x11)
  let bench: Bench
  var staged: [SequenceNumber] = []
  var remarks: [SequenceNumber] = []
  var skipped: Set<SequenceNumber> = []
  var place = Place.beginning
  var newest: SequenceNumber = 0
  var moves: UInt64 = 0
  /// The state that history begins with.
  var beginning = "{\"n\":0}"
  /// Whether that is the app's own.
  var isCommitted = false
  /// If the app is in no row of history, the row that it reports for its state.
  var anchor: SequenceNumber?

  init(_ bench: Bench) {
    self.bench = bench
    bench.appear(session)
    newest = 1
    bench.observe(.record(session, Bench.description(1, initial: #"{"n":0}"#)))
  }

  /// Remarks stand behind the action after which they were made.
  var ids: [SequenceNumber] {
    var ids: [SequenceNumber] = []
    for row in [0] + staged {
      if row > 0 { ids.append(row) }
      ids += remarks.filter { remark in (staged.filter { $0 < remark }.max() ?? 0) == row }
    }
    return ids
  }

  var index: Int {
    let index: Int =
      switch place {
      case .beginning: 0
      case .row(let row): (ids.firstIndex(of: row) ?? 0) + 1
      case .elsewhere: ids.count + 1
      }
    let isLast = place != .beginning && ids.dropFirst(index).allSatisfy(remarks.contains)
    return isLast ? max(index, ids.count) : index
  }

  func act() {
    newest = newest.next
    staged.append(newest)
    place = .row(newest)
    bench.record(newest, of: session)
  }

  func log() {
    newest = newest.next
    remarks.append(newest)
    bench.observe(.record(session, Record(sequence: newest, kind: .log(.info), name: "note")))
  }

  func revise(_ command: String) {
    newest = newest.next
    let items = staged.map { "{\"row\":\($0),\"skipped\":\(skipped.contains($0))}" }
    let current = if case .row(let row) = place { ",\"current\":\(row)" } else { "" }
    let committed = isCommitted ? ",\"committed\":\(beginning)" : ""
    let text =
      "{\"command\":\"\(command)\",\"viewer\":\"x\",\"exact\":true,\"oldest\":0,"
      + "\"staged\":[\(items.joined(separator: ","))]\(current)\(committed)}"
    let json = { (text: String) in Content(type: "application/json", bytes: Array(text.utf8)) }
    anchor = newest
    bench.observe(
      .record(
        session,
        Record(
          sequence: newest, kind: .revision, name: command, payload: json(text),
          state: .keyframe(json(state)))))
  }

  /// Not written as `beginning` is: a commit and an action come by different ways.
  private var state: String {
    switch place {
    case .beginning: beginning.replacing(":", with: ": ")
    case .row(let row): "{\"n\":\(row)}"
    case .elsewhere: "{\"from\":\"elsewhere\"}"
    }
  }

  /// History begins with the app's current state, whose row then leaves it.
  func commit() {
    (beginning, isCommitted) = (state, true)
    (staged, remarks, skipped, place) = ([], [], [], .beginning)
    revise("commit")
  }

  /// Obeys what the gateway asks, in one order or the other; or refuses.
  func answer(_ request: GatewayRequest, applies: Bool, wordFirst: Bool) {
    guard case .reset(_, let target, let content) = request else { return }
    if applies {
      moves += 1
      switch target {
      case .initial: (place, anchor) = (.beginning, nil)
      case .record(let row):
        place = staged.contains(row) ? .row(row) : isBeginning(content) ? .beginning : .elsewhere
        anchor = row
      case .elsewhere: (place, anchor) = (.elsewhere, nil)
      }
    }
    let restored = ObserverEvent.restored(session, restored(applies))
    let answer = ResetAnswer.answered(
      applies ? .applied : .rejected(reason: "no"), position)
    if wordFirst, applies { bench.observe(restored) }
    bench.machine.receive(.answer(session, answer), at: bench.now)
    if !wordFirst, applies { bench.observe(restored) }
  }

  var position: Position {
    switch place {
    case .beginning: anchor.map { .record($0) } ?? .initial
    case .row(let row): .record(row)
    case .elsewhere: anchor.map { .record($0) } ?? .elsewhere
    }
  }

  private func isBeginning(_ content: Content?) -> Bool {
    JSON(ifValid: content?.bytes ?? []) == JSON(ifValid: Array(beginning.utf8))
  }

  func restored(_ applied: Bool) -> Restored {
    Restored(
      request: moves, viewer: ViewerID(rawValue: 1), viewerName: "x", position: position,
      newestRecord: newest, moveCount: WireCount(moves), outcome: .applied)
  }
}

@Suite("Sequences of commands from two panels")
struct SequenceTests {
  static let seedCount = ProcessInfo.processInfo.environment["STATESURF_LONG"] == "1" ? 5_000 : 12

  /// Checks every row, and the pointer on the app's row, after every command of either panel, even
  /// a refused one, and after any act of the app or of other viewers.
  @Test func thePanelsShowWhereTheAppIs() throws {
    for seed in 0..<UInt64(Self.seedCount) { try story(seed) }
  }

  private func story(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let bench = Bench()
    let panels = [bench.panel(), bench.panel()]
    var books = [Books(), Books()]
    let app = StoryApp(bench)
    var told: [String] = []
    for _ in 0..<30 {
      told.append(step(app, panels, &books, &generator))
      bench.advance(by: .seconds(Bool.random(using: &generator) ? 0 : 4))
      try catchUp(panels, &books)
      guard Bool.random(using: &generator) else { continue }
      bench.advance(by: .seconds(10))
      try catchUp(panels, &books)
      let count = 1 + app.ids.count + (app.place == .elsewhere ? 1 : 0)
      for book in books {
        // A panel's Test tab takes ids for places.
        #expect(book.ids == (0..<count).map { SequenceNumber($0) }, "seed \(seed): \(told)")
        #expect(rowsAreRight(book, app), "seed \(seed): \(told)")
        #expect(book.index == app.index, "seed \(seed): \(told)")
      }
      guard books.allSatisfy({ $0.index == app.index }) else { return }
    }
  }

  private func rowsAreRight(_ book: Books, _ app: StoryApp) -> Bool {
    zip(app.ids, book.rows.dropFirst()).allSatisfy { row, shown in
      !app.staged.contains(row) || shown == row.rawValue
    }
  }

  private func catchUp(_ panels: [Panel], _ books: inout [Books]) throws {
    for (index, panel) in panels.enumerated() { try books[index].apply(panel.takeFrames()) }
  }

  /// - Returns: what was done, for the reader of a failure.
  private func step(
    _ app: StoryApp, _ panels: [Panel], _ books: inout [Books],
    _ generator: inout SeededGenerator
  ) -> String {
    switch Int.random(in: 0..<12, using: &generator) {
    case 0...2: app.act()
    case 3: app.log()
    case 4:
      guard let row = app.staged.randomElement(using: &generator) else { return "nothing" }
      if app.skipped.remove(row) == nil { app.skipped.insert(row) }
      app.revise("toggle")
      return "toggle \(row)"
    case 5:
      app.staged.shuffle(using: &generator)
      app.revise("reorder")
      return "reorder"
    case 6 where app.place != .elsewhere:
      app.commit()
      return "commit"
    case 7:
      app.moves += 1
      (app.place, app.anchor) = (.elsewhere, nil)
      app.bench.observe(.restored(app.session, app.restored(true)))
      return "load"
    default: return jump(app, panels, &books, &generator)
    }
    return "record \(app.newest)"
  }

  private func jump(
    _ app: StoryApp, _ panels: [Panel], _ books: inout [Books],
    _ generator: inout SeededGenerator
  ) -> String {
    let who = Int.random(in: 0...1, using: &generator)
    var asked: [GatewayRequest] = []
    var goals: [UInt64?] = []
    _ = app.bench.takeRequests()
    // The slider sends many before the first is answered.
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      guard let index = books[who].ids.indices.randomElement(using: &generator) else { continue }
      books[who].index = index
      goals.append(books[who].rows[index])
      panels[who].transmit(
        "sc-surf-11",
        [
          "type": "DISPATCH",
          "action": [
            "type": "JUMP_TO_ACTION", "actionId": .number(books[who].ids[index].rawValue),
          ],
        ])
      let requests = app.bench.takeRequests()
      asked += requests
      // It goes to the row that the panel shows, whatever the app did since. A remark may represent
      // the beginning, whose row is another.
      guard index > 0, let goal = books[who].rows[index], goal != books[who].rows[0] else {
        continue
      }
      for case .reset(_, let target, _) in requests {
        #expect(target == .record(SequenceNumber(goal)))
      }
    }
    for request in asked {
      let applies = Int.random(in: 0..<4, using: &generator) > 0
      app.answer(request, applies: applies, wordFirst: Bool.random(using: &generator))
    }
    return "panel \(who) jumps to \(goals)"
  }
}
