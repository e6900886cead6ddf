import SurfControl
import SurfHistory
import Synchronization
import TestSupport
import Testing

private enum Move: Sendable {
  case append(Int)
  /// Appends a number that no other run draws.
  case draw
  case nothing
}

private final class Urn: Sendable {
  private let drawn = Atomic(1_000_000)
  func draw() -> Int { drawn.add(1, ordering: .relaxed).newValue }
}

/// A program's store with its log: the app acts, viewers go elsewhere and rewrite.
private struct Program {
  private let urn = Urn()
  private(set) var history: History<Move, [Int]>
  private var state: [Int] = []
  private var moves: [UInt64: Move] = [:]
  private var origins: [UInt64: [Int]] = [:]
  private var recorded: [UInt64: [Int]] = [:]
  /// The action that each one came after, in the history that people see.
  private var parents: [UInt64: UInt64] = [:]
  private var here: UInt64 = 0
  init(countMax: Int) {
    history = History(
      ActionLog(initial: [], countMax: countMax) { [urn] in Self.run($0, on: &$1, urn) })
  }

  private static func run(_ move: Move, on state: inout [Int], _ urn: Urn) {
    switch move {
    case .append(let number): state.append(number)
    case .draw: state.append(urn.draw())
    case .nothing: break
    }
  }

  mutating func act(_ move: Move) {
    let id = UInt64(moves.count + 1)
    (moves[id], origins[id]) = (move, state)
    Self.run(move, on: &state, urn)
    recorded[id] = state
    (parents[id], here) = (here, id)
    history.record(id, move, state)
  }

  /// A viewer goes to what an action led to when it happened, which may not be what it leads to.
  mutating func visit(_ id: UInt64) throws {
    state = try #require(recorded[id])
    here = id
    let isFormer = history.log.revisedState(of: id).map { $0 != state } ?? false
    history.moved(to: id, state, isFormer: isFormer)
  }

  /// - Returns: what the check says, and what it must say.
  mutating func rewrite(
    _ command: HistoryCommand<UInt64>
  ) throws -> (told: Revision.Replay, expected: Revision.Replay) {
    let change = try history.perform(.command(command), in: state) { _ in 0 }
    let computed = change.computed ?? []
    state = history.log.state
    let check = ReplayCheck(history.log, computed: computed)
    let told = check.result(bytes: Self.bytes) { _ in true }
    let drawn = history.log.entries.first { entry in
      guard computed.contains(entry.id), !entry.isSkipped else { return false }
      if case .draw? = moves[entry.id] { return true } else { return false }
    }
    return (told, drawn.map { .differs($0.id) } ?? .exact)
  }

  /// The action, those that it came after, and so on.
  func line(to id: UInt64) -> [UInt64] { id > 0 ? [id] + line(to: parents[id] ?? 0) : [] }

  /// Whether everything is as it was recorded.
  var isAsRecorded: Bool { history.log.entries.allSatisfy { recorded[$0.id] == $0.state } }

  /// Whether all actions count, in their original order.
  var isInOrder: Bool { !history.log.leavesOut && history.log.ids == history.log.ids.sorted() }

  static func bytes(_ state: [Int]) -> [UInt8] { state.flatMap { "\($0),".utf8 } }
}

@Suite("Whether a rewrite is exact")
struct ReplayCheckTests {
  @Test(arguments: 0..<1_000 as Range<UInt64>)
  func `It is never called exact where a replay differs`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var program = Program(countMax: seed % 5 == 0 ? 4 : 100)
    let isPure = seed % 3 != 0
    // Then what was recorded is not what the whole history leads to.
    var isBent = false
    var newest: UInt64 = 0
    for _ in 0..<40 {
      let ids = program.history.log.ids
      let id = ids.randomElement(using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5:
        newest += 1
        isBent = isBent || program.history.log.leavesOut
        let move = Move.append(Int(newest))
        let other: Move = isPure ? .nothing : .draw
        program.act(Int.random(in: 0..<4, using: &random) == 0 ? other : move)
      case 5: if let id { try program.visit(id) }
      case 6..<9:
        guard let id else { continue }
        let (told, expected) = try program.rewrite(.toggle(id, skipped: nil))
        #expect(told == expected)
        if isPure, !isBent, program.isInOrder { #expect(program.isAsRecorded) }
      default:
        let other = ids.randomElement(using: &random)
        guard let id, id != other, Bool.random(using: &random) else { continue }
        isBent = true
        let (told, expected) = try program.rewrite(.move(id, before: other))
        #expect(told == expected)
      }
    }
  }

  private func program(_ moves: Move...) -> Program {
    var program = Program(countMax: 100)
    for move in moves { program.act(move) }
    return program
  }

  @Test func `A rewrite takes the app from what an action led to once to what it leads to now`()
    throws
  {
    var program = program(.append(1), .append(2), .append(3))
    _ = try program.rewrite(.toggle(1, skipped: true))
    try program.visit(2)
    guard case .outside([1, 2]) = program.history.log.place else {
      Issue.record("2 leads to another state now")
      return
    }
    _ = try program.rewrite(.toggle(1, skipped: false))
    guard case .entry(2) = program.history.log.place else {
      Issue.record("the app is not at 2")
      return
    }
    program.act(.append(4))
    _ = try program.rewrite(.toggle(2, skipped: true))
    #expect(program.history.log.state == [1, 4])
  }

  /// Wherever a viewer has put the app, what it does there can be taken back, and what came before.
  /// An action of another future stays as it is.
  @Test(arguments: 0..<300 as Range<UInt64>)
  func `A skip reaches all that came after it`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var program = Program(countMax: 100)
    for step in 1...30 {
      let id = program.history.log.ids.randomElement(using: &random)
      switch (Int.random(in: 0..<4, using: &random), id) {
      case (1, let id?): try program.visit(id)
      case (2..., let id?) where step > 3:
        let before = program.history.log.entries
        _ = try program.rewrite(.toggle(id, skipped: nil))
        let isSkipped = program.history.log.entries.contains { $0.id == id && $0.isSkipped }
        for (entry, former) in zip(program.history.log.entries, before) {
          if program.line(to: entry.id).contains(id) {
            #expect(entry.state.contains(Int(id)) != isSkipped, "row \(entry.id) after \(id)")
          } else {
            #expect(entry.state == former.state, "row \(entry.id) after \(id)")
          }
        }
      default: program.act(.append(program.history.log.ids.count + 1))
      }
    }
  }

  @Test func `So does one that leaves its state as it is`() throws {
    var program = program(.append(1), .append(2), .append(3))
    _ = try program.rewrite(.toggle(1, skipped: true))
    try program.visit(2)
    _ = try program.rewrite(.toggle(3, skipped: true))
    #expect(program.history.log.state == [2])
  }

  @Test func `The record of a rewrite stands for where the app was then`() throws {
    var program = program(.append(1), .append(2))
    _ = try program.rewrite(.toggle(1, skipped: true))
    var history = program.history
    history.noteRewrite(77)
    history.moved(to: nil, [9])
    history.noteRewrite(78)
    #expect(history.action(of: 77) == 2)
    #expect(history.action(of: 78) == 78)
    #expect(history.action(of: 1) == 1)
  }

  /// An action that cannot be run again keeps its state, whatever it was applied to.
  @Test func `What cannot run again is not exact, unless nothing before it changed`() throws {
    var log = ActionLog<Int, [Int]>(initial: [], countMax: 100) { $1.append($0) }
    log.append(1, 1, [1])
    log.append(2, nil, [1, 7])
    log.append(3, 3, [1, 7, 3])
    var computed = try log.setSkipped(true, 1)
    #expect(result(log, computed) == .kept(2))
    computed = try log.setSkipped(false, 1)
    #expect(result(log, computed) == .exact)
    computed = try log.setSkipped(true, 3)
    #expect(result(log, computed) == .exact)
  }

  @Test func `What there is no time for is counted`() throws {
    var log = ActionLog<Int, [Int]>(initial: [], countMax: 100) { $1.append($0) }
    for id in 1...10 { log.append(UInt64(id), id, Array(1...id)) }
    let computed = try log.setSkipped(true, 2)
    let check = ReplayCheck(log, computed: computed)
    #expect(check.result(bytes: Program.bytes) { _ in false } == .unchecked(8))
    #expect(check.result(bytes: Program.bytes) { $0 < 30 } == .unchecked(6))
    struct Unwritable: Error {}
    let told = check.result { state throws in
      if state.contains(5) { throw Unwritable() } else { Program.bytes(state) }
    } mayGoOn: { _ in
      true
    }
    #expect(told == .unchecked(6), "5 to 10 have no octets")
  }

  @Test func `A log without a reducer is approximate`() throws {
    var log = ActionLog<Int, [Int]>(initial: [], countMax: 100, run: nil)
    log.append(1, 1, [1])
    #expect(result(log, try log.setSkipped(true, 1)) == .approximate)
  }

  private func result(_ log: ActionLog<Int, [Int]>, _ computed: Set<UInt64>) -> Revision.Replay {
    ReplayCheck(log, computed: computed).result(bytes: Program.bytes) { _ in true }
  }

  @Test(
    arguments: [
      .approximate, .exact, .differs(7), .kept(1), .unchecked(12),
    ] as [Revision.Replay])
  func `Every result is told and read`(replay: Revision.Replay) throws {
    let revision = Revision(
      command: "toggle", viewerName: "ada", replay: replay, isLocked: false, isPaused: false)
    #expect(try Revision(parsing: revision.json.bytes()) == revision)
  }
}
