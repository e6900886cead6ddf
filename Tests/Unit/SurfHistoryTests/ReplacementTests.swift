import JSONTree
import SurfControl
import SurfHistory
import TestSupport
import Testing

/// Actions are numbers that are appended to a list; 0 empties it. An import with little room is held
/// against the same with room for all.
@Suite("A history from elsewhere, and how much of it is kept")
struct ReplacementTests {
  private typealias Engine = History<Int, [Int]>

  private struct Import {
    var engine: Engine
    var rows: [(name: String, state: [Int]?)] = []

    init(_ history: ForeignHistory, keeping room: Plan<Int, [Int]>.ImportLimits) throws {
      engine = Engine(
        ActionLog(initial: [], countMax: 1_000) { action, state in
          if action == 0 { state = [] } else { state.append(action) }
        })
      let reader = Plan<Int, [Int]>.Reader { json throws(RefusedCommand) in
        guard let number = json.integer else { throw RefusedCommand("no number") }
        return number
      } state: { json throws(RefusedCommand) in
        guard let list = json.array else { throw RefusedCommand("no list") }
        return list.compactMap(\.integer)
      }
      let plan = try Plan(.replace(history), in: engine.log, reading: reader, keeping: room)
      var rows: [(name: String, state: [Int]?)] = []
      _ = try engine.perform(plan, in: []) { step in
        rows.append((step.name, step.state))
        return UInt64(history.steps.count - Self.rowCount(history, room) + rows.count)
      }
      self.rows = rows
    }

    private static func rowCount(_ history: ForeignHistory, _ room: Plan<Int, [Int]>.ImportLimits)
      -> Int
    {
      min(history.steps.count, room.rowCountMax)
    }
  }

  private func history(_ random: inout SeededGenerator) -> ForeignHistory {
    let count = Int.random(in: 0...40, using: &random)
    let steps = (0..<count).map { index in
      let action = Int.random(in: 0...5, using: &random)
      let bringsState = Int.random(in: 0..<4, using: &random) == 0
      let isAlone = bringsState && Bool.random(using: &random)
      return ForeignHistory.Step(
        name: "step \(index)", action: isAlone ? nil : .number(action),
        state: bringsState ? [.number(index), 9] : nil,
        isSkipped: Int.random(in: 0..<5, using: &random) == 0)
    }
    return ForeignHistory(
      committed: Bool.random(using: &random) ? [7] : nil, steps: steps,
      current: Int.random(in: 0..<4, using: &random) == 0
        ? nil : Int.random(in: 0...count, using: &random))
  }

  @Test func `little room takes the oldest states and rows, and nothing else`() throws {
    var random = SeededGenerator(seed: 20)
    var truncated = 0
    for _ in 0..<2_000 {
      let history = history(&random)
      var room = Plan<Int, [Int]>.ImportLimits()
      room.rowCountMax = Int.random(in: 1...50, using: &random)
      room.stateSizeMax = Int.random(in: 1...60, using: &random)
      room.size = { $0.count }
      var all = try Import(history, keeping: Plan.ImportLimits())
      var some = try Import(history, keeping: room)
      // The app is where it would be, and the newest rows are the same.
      #expect(some.engine.log.state == all.engine.log.state)
      #expect(some.rows.map(\.name) == all.rows.suffix(some.rows.count).map(\.name))
      #expect(some.rows.count == min(history.steps.count, room.rowCountMax))
      let held = some.rows.drop { $0.state == nil }
      #expect(held.map(\.state) == all.rows.suffix(held.count).map(\.state))
      #expect(history.steps.isEmpty || !held.isEmpty)
      #expect(some.engine.log.ids == all.engine.log.ids.suffix(held.count))
      if held.count < history.steps.count { truncated += 1 }
      // The actions that are kept run again as they would among all.
      for id in some.engine.log.ids {
        let plan = Plan<Int, [Int]>.command(.toggle(id, skipped: nil))
        _ = try some.engine.perform(plan, in: []) { _ in 0 }
        _ = try all.engine.perform(plan, in: []) { _ in 0 }
        #expect(some.engine.log.state == all.engine.log.state)
        #expect(some.engine.log.revisedState(of: id) == all.engine.log.revisedState(of: id))
      }
    }
    #expect(truncated > 1_000)
  }

  @Test func `states take no more than their room, even if they were large and are small now`()
    throws
  {
    let adds = (1...200).map { ForeignHistory.Step(name: "add", action: .number($0), state: nil) }
    let clear = ForeignHistory.Step(name: "clear", action: 0, state: nil)
    var room = Plan<Int, [Int]>.ImportLimits()
    room.stateSizeMax = 1_000
    room.size = { $0.count }
    let grown = try Import(
      ForeignHistory(committed: nil, steps: adds, current: 199), keeping: room)
    #expect(grown.rows.compactMap(\.state).map(\.count).reduce(0, +) <= 1_000)
    let cleared = try Import(
      ForeignHistory(committed: nil, steps: adds + [clear], current: 200), keeping: room)
    #expect(cleared.rows.compactMap(\.state).map(\.count).reduce(0, +) <= 1_000)
    #expect(cleared.rows.count == 201)
  }

  @Test func `work that nobody waits for any more is stopped`() throws {
    var room = Plan<Int, [Int]>.ImportLimits()
    room.note = { done, total throws(RefusedCommand) in
      #expect(done <= total && total == 2_000)
      if done > 500 { throw RefusedCommand("gone") }
    }
    let steps = (1...1_000).map {
      ForeignHistory.Step(name: "add", action: .number($0), state: nil)
    }
    let history = ForeignHistory(committed: nil, steps: steps, current: nil)
    #expect(throws: RefusedCommand("gone")) { try Import(history, keeping: room) }
  }

  @Test func `a step that cannot be read is named`() throws {
    let steps = [
      ForeignHistory.Step(name: "add", action: 1, state: nil),
      ForeignHistory.Step(name: "odd", action: "x", state: nil),
    ]
    let history = ForeignHistory(committed: nil, steps: steps, current: nil)
    #expect(throws: RefusedCommand("step 2, odd: no number")) {
      try Import(history, keeping: Plan.ImportLimits())
    }
  }
}
