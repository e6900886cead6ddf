import Dispatch
import Foundation
import StateSurf
import SurfStore
import SurfThreads
import SurfWire
import TestSupport
import Testing

/// Equal actions that are told as one.
@Suite struct CoalescingTests {
  private let bench = Bench()

  private enum Act: Codable, Sendable {
    case tick
    case move(Int)
    case plain
    case bad(Double)
  }

  private func transceiver(
    _ patterns: [String], every interval: Duration = .seconds(3_600)
  ) -> Transceiver {
    var configuration = bench.waiting()
    configuration.thinning.coalesced = patterns
    configuration.thinning.interval = interval
    configuration.sendsDeltas = false
    return bench.transceiver(configuration)
  }

  /// What viewers get, as the model and the sink have it.
  private struct Line: Equatable, CustomStringConvertible {
    var name: String
    var count = 1
    var state: Int?
    var parent = 0
    var description: String {
      "\(name) ×\(count): \(state.map(String.init) ?? "none") ←\(parent)"
    }
  }

  private var lines: [Line] {
    bench.sink.events.compactMap { event in
      switch event {
      case .record(let record):
        Line(
          name: record.name, count: record.count.clamped(to: .max),
          state: record.state.text.flatMap { Int($0) }, parent: Int(record.parent.rawValue))
      case .answer: Line(name: "answer")
      case .resumed, .suspended, .announced, .gaveUp, .leftRecords: nil
      }
    }
  }

  /// With an interval that never ends.
  private struct Model {
    private(set) var lines: [Line] = []
    private var rowCount = 0
    /// By ticket.
    private var rows: [Int] = [0]
    private var run: (name: String, parent: Int)?
    private var held: (line: Line, tickets: Int)?

    /// The ticket of an action that may be a parent.
    var newest: Int { rows.count - 1 + (held?.tickets ?? 0) }

    mutating func act(_ name: String, _ state: Int, parent: Int) {
      let mayRun = name == "tick" || name.hasPrefix("move")
      if mayRun, run?.name == name, run?.parent == parent {
        held = (
          Line(name: name, count: (held?.line.count ?? 0) + 1, state: state),
          held.map { $0.tickets + 1 } ?? 1
        )
        held?.line.parent = rows[parent < rows.count ? parent : 0]
        return
      }
      interrupt()
      tell(Line(name: name, state: state, parent: rows[parent]), tickets: 1)
      run = mayRun ? (name, parent) : nil
    }

    mutating func other(_ line: Line) {
      interrupt()
      if line.name == "answer" { lines.append(line) } else { tell(line, tickets: 1) }
    }

    mutating func bad(_ state: Int) {
      interrupt()
      tell(Line(name: "bad(nan)", state: state), tickets: 1)
      rowCount += 1
      let fault = "payload not recorded: bad: nan cannot be encoded"
      lines.append(Line(name: fault, parent: rowCount - 1))
    }

    /// Somebody waits; the run goes on.
    mutating func flush() {
      if let held { tell(held.line, tickets: held.tickets) }
      held = nil
    }

    mutating func interrupt() {
      flush()
      run = nil
    }

    private mutating func tell(_ line: Line, tickets: Int) {
      rowCount += 1
      rows += Array(repeating: rowCount, count: tickets)
      lines.append(line)
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func `equal actions in a row are one row with their number`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let app = transceiver(["tick", "move"])
    app.onReset { _ in }
    var model = Model()
    var owner: UInt64 = 0
    bench.sink.isWatched = false
    app.resume()
    for number in 0..<120 {
      switch Int.random(in: 0..<24, using: &random) {
      case 0:
        #expect(app.flush(timeout: .seconds(600)))
        model.flush()
      case 1:
        owner = app.log("line")?.owner ?? owner
        model.other(Line(name: "line"))
      case 2:
        #expect(bench.restore(nil, at: .initial, request: UInt64(number)) == .applied)
        model.other(Line(name: "answer"))
      case 3:
        app.suspend()
        app.resume()
        model.interrupt()
      case 4:
        bench.sink.isWatched.toggle()
      case 5:
        app.record(action: Act.bad(.nan), state: number)
        model.bad(number)
      case 6:
        // One that has been told, or is told as one with others.
        let parent = owner == 0 ? 0 : Int.random(in: 0...model.newest, using: &random)
        let id = parent == 0 ? nil : RecordID(owner: owner, ticket: UInt64(parent))
        app.record(action: Act.plain, state: number, parent: id)
        model.interrupt()
        model.act("plain", number, parent: parent)
      default:
        let act = [Act.tick, .tick, .move(1), .move(2), .plain].randomElement(using: &random)!
        for state in 0..<Int.random(in: 1...4, using: &random) {
          owner = app.record(action: act, state: number * 10 + state)?.owner ?? owner
          model.act("\(act)", number * 10 + state, parent: 0)
        }
      }
    }
    app.suspend()
    model.interrupt()
    let (told, expected) = (lines, model.lines)
    #expect(told == expected)
    let sequences = bench.sink.records.map(\.sequence.rawValue)
    #expect(sequences == Array(1...UInt64(sequences.count)))
  }

  /// A million with `Tests/run --long`.
  @Test func `very many equal actions are two rows, and none is lost`() {
    let count = ProcessInfo.processInfo.environment["STATESURF_LONG"] == nil ? 20_000 : 1_000_000
    let app = transceiver(["*"])
    app.resume()
    for number in 1...count { app.record(action: "tick", state: number) }
    #expect(app.flush(timeout: .seconds(3_600)))
    let (told, expected) = (
      lines, [Line(name: "tick", state: 1), Line(name: "tick", count: count - 1, state: count)]
    )
    #expect(told == expected)
    #expect(app.counters.recordCount == count)
  }

  @Test func `the newest state comes though nothing else happens`() throws {
    let app = transceiver(["tick"], every: .milliseconds(20))
    app.resume()
    for number in 1...3 { app.record(action: "tick", state: number) }
    #expect(bench.sink.waitForRecords(2))
    let told = bench.sink.records.last?.state.text
    #expect(told == "2" || told == "3")
    while bench.sink.records.last?.state.text != "3" {
      try #require(bench.sink.waitForRecords(bench.sink.records.count + 1))
    }
    let sum = bench.sink.records.reduce(0) { $0 + $1.count.clamped(to: .max) }
    #expect(sum == 3)
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func `without a time to wait, each leaves at once`(interval: Duration) {
    let app = transceiver(["tick"], every: interval)
    app.resume()
    for number in 1...20 { app.record(action: "tick", state: number) }
    app.flush(timeout: .seconds(600))
    let (told, expected) = (lines, (1...20).map { Line(name: "tick", state: $0) })
    #expect(told == expected)
  }

  @Test func `nothing is told as one by default`() {
    let app = bench.transceiver()
    app.resume()
    for number in 1...5 { app.record(action: "tick", state: number) }
    app.flush(timeout: .seconds(600))
    let counts = bench.sink.records.map(\.count)
    #expect(counts == [1, 1, 1, 1, 1])
  }

  @Test func `of states that are told as one the newest alone must be one`() {
    let app = transceiver(["tick"])
    app.resume()
    for number in [1, .nan, 2, .nan, 3, .infinity] {
      app.record(action: "tick", state: [number])
    }
    app.record(action: "end", state: [0.0])
    app.flush(timeout: .seconds(600))
    let names = bench.sink.records.map(\.name)
    let expected = ["tick", "tick", "state not recorded: [0]: inf cannot be encoded", "end"]
    #expect(names == expected)
    let counts = bench.sink.records.map(\.count)
    #expect(counts == [1, 5, 1, 1])
    #expect(bench.sink.events.contains(.leftRecords))
    #expect(app.counters.failureCount == 1)
  }

  @Test func `what cannot be told equals nothing, not even itself`() {
    let app = transceiver(["*"])
    app.resume()
    for _ in 0..<3 { app.record(action: Act.bad(.infinity), state: 0) }
    app.flush(timeout: .seconds(600))
    let counts = bench.sink.records.map(\.count)
    #expect(counts == Array(repeating: 1, count: 6))
  }

  @Test func `another place in the source, or another cause, is another action`() {
    let app = transceiver(["*"])
    app.resume()
    let cause = app.mark("cause")
    for line in [1, 1, 2] as [UInt] { app.record(action: "tick", state: 0, line: line) }
    for parent in [nil, cause, cause, nil] {
      app.record(action: "tick", state: 0, parent: parent, line: 2)
    }
    app.flush(timeout: .seconds(600))
    let counts = bench.sink.records.map(\.count)
    #expect(counts == [1, 1, 1, 1, 1, 1, 1, 1])
    let parents = bench.sink.records.map(\.parent.rawValue)
    #expect(parents == [0, 0, 0, 0, 0, 1, 1, 0])
  }

  private struct Blip: Codable, Sendable, CustomStringConvertible {
    var volume: Int
    var description: String { "blip" }
  }

  @Test func `another payload is another action, also under one name`() {
    let app = transceiver(["blip"])
    app.resume()
    for volume in [1, 1, 1, 2, 2] { app.record(action: Blip(volume: volume), state: 0) }
    app.flush(timeout: .seconds(600))
    let counts = bench.sink.records.map(\.count)
    #expect(counts == [1, 2, 1, 1])
  }

  @Test func `what is left out while nobody watches counts as one state`() {
    var configuration = bench.waiting()
    configuration.thinning.coalesced = ["tick"]
    configuration.thinning.interval = .seconds(3_600)
    configuration.thinning.whenUnwatched = .newestState
    let app = bench.transceiver(configuration)
    bench.sink.isWatched = false
    app.resume()
    for number in 1...9 { app.record(action: "tick", state: number) }
    app.flush(timeout: .seconds(600))
    bench.arrive()
    app.flush(timeout: .seconds(600))
    let (told, expected) = (
      lines,
      [
        Line(name: "tick"), Line(name: "tick", count: 8),
        Line(name: "2 states left out while nobody watched", state: 9),
      ]
    )
    #expect(told == expected)
  }

  private enum Door: StateSurfable {
    struct State: StateInitializable, Equatable { var count = 0 }
    enum Action: Codable, Sendable { case open }
    static let reducer = Reducer<Action, State>.reduce { _, state in state.count += 1 }
  }

  @Test func `each action of a history keeps a row of its own, and can be left out`() {
    let history = HistoryTransceiver<Door>(transceiver: transceiver(["*"]))
    history.resume()
    for _ in 0..<5 { history.store.dispatch(.open) }
    #expect(bench.perform(#"{"command":"toggle","row":3}"#) == .applied)
    #expect(history.store.state.count == 4)
    let actions = bench.sink.records.filter { $0.kind == .action }
    let counts = actions.map(\.count)
    #expect(counts == [1, 1, 1, 1, 1])
  }

  @Test func `an action of a history can be left out though many were told as one since`() {
    let history = HistoryTransceiver<Door>(transceiver: transceiver(["tick", "tock"]))
    history.resume()
    for _ in 0..<2 { history.store.dispatch(.open) }
    for number in 0..<4_000 {
      for _ in 0..<3 {
        history.transceiver.record(action: number.isMultiple(of: 2) ? "tick" : "tock", state: 0)
      }
    }
    #expect(bench.perform(#"{"command":"toggle","row":2}"#) == .applied)
    #expect(history.store.state.count == 1)
    let shared = bench.sink.records.count { $0.count == 2 }
    #expect(shared == 4_000)
  }

  /// Says when it is looked at.
  private struct Poll: Encodable, Sendable, CustomStringConvertible {
    let seen: DispatchSemaphore
    var description: String { "poll" }

    func encode(to encoder: any Encoder) throws {
      seen.signal()
      try "poll".encode(to: encoder)
    }
  }

  @Test func `a restored state keeps secrets of a state that is held back`() throws {
    struct Account: Codable, Sendable {
      var name = ""
      @Redacted var token = ""
    }
    let app = transceiver(["poll"])
    let restored = Monitor<Account?>(nil)
    app.onReset { reset in
      let account = try reset.state(as: Account.self)
      restored.withLock { $0 = account }
    }
    app.resume()
    let seen = DispatchSemaphore(value: 0)
    for token in ["a", "b", "c"] {
      app.record(action: Poll(seen: seen), state: Account(name: "ada", token: token))
    }
    // Who looks at the third has done with the second.
    for _ in 0..<3 { #expect(seen.wait(timeout: .now() + .seconds(600)) == .success) }
    let state = #"{"name":"bob","token":{"$redacted":"string"}}"#
    #expect(bench.restore(state, at: .elsewhere, request: 1) == .applied)
    let account = restored.withLock { $0 }
    #expect(account?.name == "bob")
    #expect(["b", "c"].contains(account?.token))
    let counts = bench.sink.records.map(\.count)
    // The last is the state that was brought.
    #expect(counts == [1, 2, 1])
  }
}
