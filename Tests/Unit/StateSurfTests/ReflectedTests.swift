import Observation
import StateSurf
import SurfStore
import SurfWire
import Synchronization
import TestSupport
import Testing

/// A program whose states are not `Codable`, and can still be put back.
@Suite struct ReflectedTests {
  private enum Gear: Equatable {
    case idle
    case moving(Int)
  }

  private struct Engine: Equatable, Sendable {
    var gear = Gear.idle
    var fuel = 5.0
    var name: String? = "A"
  }

  private struct Car: Codable, Sendable {
    var name = "Blue"
    @Reflected var engine = Engine()
  }

  private final class Held<Value: Sendable>: Sendable {
    let value: Mutex<Value>
    init(_ value: Value) { self.value = Mutex(value) }
    func set(_ new: Value) { value.withLock { $0 = new } }
    func get() -> Value { value.withLock { $0 } }
  }

  private let bench = Bench()

  private func configuration(
    _ coding: Transceiver.Configuration.Coding = .readable
  ) -> Transceiver.Configuration {
    var configuration = bench.waiting()
    // Each record has its state whole.
    configuration.sendsDeltas = false
    configuration.coding = coding
    return configuration
  }

  private func states(of transceiver: Transceiver) -> [String] {
    transceiver.flush(timeout: .seconds(600))
    return bench.sink.records.map { $0.state.text ?? "" }
  }

  @Test(arguments: [Transceiver.Configuration.Coding.foundation, .readable])
  func `a value that is not Codable is put back as it was`(
    coding: Transceiver.Configuration.Coding
  ) throws {
    let transceiver = bench.transceiver(configuration(coding))
    let engine = Held(Engine())
    transceiver.onReset(initial: Reflected(Engine())) { engine.set($0.value) }
    transceiver.resume()
    let values = [
      Engine(gear: .moving(3), fuel: 4.5), Engine(fuel: 1e300, name: nil), Engine(fuel: -0.1),
    ]
    for value in values { transceiver.record(action: "go", state: Reflected(value)) }
    let states = states(of: transceiver)
    #expect(states.first == #"{"fuel":4.5,"gear":{"moving":3},"name":"A"}"#)
    for (index, value) in values.enumerated().reversed() {
      let row = SequenceNumber(UInt64(index + 1))
      #expect(bench.restore(states[index], at: .record(row), request: 1) == .applied)
      #expect(engine.get() == value)
    }
    #expect(bench.restore(nil, at: .initial, request: 2) == .applied)
    #expect(engine.get() == Engine())
  }

  @Test func `the initial value is shown as row 0`() {
    let transceiver = bench.transceiver(configuration())
    transceiver.onReset(initial: Reflected(Engine())) { _ in }
    transceiver.resume()
    #expect(bench.perform(#"{"command":"describe"}"#) == .applied)
    #expect(bench.sink.waitForRecords(1))
    let initial = bench.sink.records[0].revision?.initial
    #expect(initial == ["fuel": 5, "gear": "idle", "name": "A"])
  }

  @Observable @MainActor final class Trip {
    fileprivate(set) var stops = ["Ulm"]
    fileprivate(set) var budget = 500
  }

  @Test @MainActor func `the labels of an observed tuple are the names of its members`() async {
    let trip = Trip()
    let transceiver = bench.transceiver(configuration())
    let token = transceiver.observe {
      Reflected((stops: trip.stops, budget: trip.budget))
    } restore: {
      (trip.stops, trip.budget) = ($0.value.stops, $0.value.budget)
    }
    transceiver.resume()
    trip.stops.append("Bonn")
    #expect(await bench.recorded(2))
    trip.budget = 7
    #expect(await bench.recorded(3))
    #expect(
      bench.sink.records.map(\.name) == ["state before", "changed stops", "changed budget"])
    let state = bench.sink.records[1].state.text
    #expect(await bench.restored(state, at: .record(2), request: 1) == .applied)
    #expect((trip.stops, trip.budget) == (["Ulm", "Bonn"], 500))
    withExtendedLifetime(token) {}
  }

  @Test func `what the program never had is refused with a reason`() {
    let transceiver = bench.transceiver(configuration())
    transceiver.onReset(initial: Reflected(Engine())) { _ in Issue.record("it was asked") }
    transceiver.resume()
    transceiver.record(action: "go", state: Reflected(Engine(fuel: 2)))
    _ = states(of: transceiver)
    for state in [#"{"fuel":3,"gear":"idle","name":"A"}"#, "7", "[]", "null", "{}", #""idle""#] {
      guard case .rejected(let reason) = bench.restore(state, at: .elsewhere, request: 1) else {
        Issue.record("it was not refused: \(state)")
        continue
      }
      #expect(reason.contains("no value like this, redacted parts included, is among the newest"))
      #expect(reason.contains("if its types are Codable"))
    }
  }

  @Test func `of two types that look the same, each gets its own value`() throws {
    struct Other: Sendable { var fuel = 8.0 }
    struct Another: Sendable { var fuel = 8 }
    let transceiver = bench.transceiver(configuration())
    let other = Held<Other?>(nil)
    transceiver.onReset(initial: Reflected(Other(fuel: 1))) { other.set($0.value) }
    transceiver.resume()
    transceiver.record(action: "go", state: Reflected(Other()))
    transceiver.record(action: "go", state: Reflected(Another()))
    let states = states(of: transceiver)
    #expect(states == [#"{"fuel":8}"#, #"{"fuel":8}"#])
    #expect(bench.restore(states[1], at: .record(2), request: 1) == .applied)
    #expect(other.get()?.fuel == 8)
  }

  @Test func `a value of another type alone is not taken`() {
    struct Other: Sendable { var fuel = 8.0 }
    let transceiver = bench.transceiver(configuration())
    transceiver.onReset(initial: Reflected(Engine())) { _ in Issue.record("it was asked") }
    transceiver.resume()
    transceiver.record(action: "go", state: Reflected(Other()))
    guard
      case .rejected(let reason) = bench.restore(
        states(of: transceiver)[0], at: .record(1), request: 1)
    else {
      Issue.record("it was not refused")
      return
    }
    #expect(reason.contains("no value like this"))
  }

  @Test func `an optional state is nil only if it was`() {
    let transceiver = bench.transceiver(configuration())
    let engine = Held<Engine?>(Engine())
    transceiver.onReset(initial: Reflected(Engine?.some(Engine()))) { engine.set($0.value) }
    transceiver.resume()
    transceiver.record(action: "go", state: Reflected(Engine?.none))
    transceiver.record(action: "go", state: Reflected(Engine?.some(Engine(fuel: 1))))
    let states = states(of: transceiver)
    #expect(states[0] == "null")
    guard case .rejected = bench.restore(#"{"fuel":7}"#, at: .elsewhere, request: 1) else {
      Issue.record("it was not refused")
      return
    }
    #expect(engine.get() == Engine())
    #expect(bench.restore(states[0], at: .record(1), request: 2) == .applied)
    #expect(engine.get() == nil)
    #expect(bench.restore(states[1], at: .record(2), request: 3) == .applied)
    #expect(engine.get() == Engine(fuel: 1))
  }

  @Test func `a property is put back beside others, which may be edited`() throws {
    let transceiver = bench.transceiver(configuration())
    let car = Held(Car())
    transceiver.onReset(initial: Car()) { car.set($0) }
    transceiver.resume()
    transceiver.record(action: "go", state: Car(name: "Red", engine: Engine(gear: .moving(1))))
    let state = try #require(states(of: transceiver).first)
    #expect(state == #"{"engine":{"fuel":5,"gear":{"moving":1},"name":"A"},"name":"Red"}"#)
    let edited = state.replacing("Red", with: "Green")
    #expect(bench.restore(edited, at: .elsewhere, request: 1) == .applied)
    #expect(car.get().name == "Green")
    #expect(car.get().engine == Engine(gear: .moving(1)))
  }

  @Test func `a redacted part must be as it was`() throws {
    var configuration = configuration()
    configuration.redacted = ["name"]
    let transceiver = bench.transceiver(configuration)
    let engine = Held(Engine())
    transceiver.onReset(initial: Reflected(Engine())) { engine.set($0.value) }
    transceiver.resume()
    for (fuel, name) in [(1.0, "A"), (2, "A"), (3, "B")] {
      transceiver.record(action: "go", state: Reflected(Engine(fuel: fuel, name: name)))
    }
    let states = states(of: transceiver)
    #expect(states[1] == #"{"fuel":2,"gear":"idle","name":{"$redacted":"string"}}"#)
    guard case .rejected = bench.restore(states[1], at: .record(2), request: 1) else {
      Issue.record("it was not refused")
      return
    }
    transceiver.record(action: "go", state: Reflected(Engine(fuel: 4, name: "A")))
    _ = self.states(of: transceiver)
    #expect(bench.restore(states[0], at: .record(1), request: 2) == .applied)
    #expect(engine.get() == Engine(fuel: 1, name: "A"))
  }

  @Test func `a tuple is a state`() throws {
    let transceiver = bench.transceiver(configuration())
    let game = Held((x: 1, name: "a"))
    transceiver.onReset(initial: Reflected(game.get())) { game.set($0.value) }
    transceiver.resume()
    transceiver.record(changeFrom: Reflected(game.get()), to: Reflected((x: 2, name: "b")))
    transceiver.flush(timeout: .seconds(600))
    #expect(bench.sink.records.map(\.name) == ["state before", "changed name, x"])
    let state = try #require(bench.sink.records.last?.state.text)
    #expect(bench.restore(state, at: .record(2), request: 1) == .applied)
    #expect(game.get() == (x: 2, name: "b"))
  }

  @Test(arguments: [
    "18446744073709551615", "-9223372036854775808", "0.1", "1e-7", "5", "1e+300", "0", "-0.0",
    "12345678901234567.25", "5e-324", "1e-200", "1e100", "123456789012345678901234567890123456789",
  ])
  func `each number is shown and found again`(literal: String) throws {
    struct Shown: Sendable {
      let unsigned: UInt64
      let double: Double
    }
    let value = Shown(unsigned: UInt64(literal) ?? 7, double: try #require(Double(literal)))
    let transceiver = bench.transceiver(configuration())
    let held = Held<Shown?>(nil)
    transceiver.onReset(initial: Reflected(value)) { held.set($0.value) }
    transceiver.resume()
    transceiver.record(action: "go", state: Reflected(value))
    transceiver.record(action: "go", state: Reflected(Shown(unsigned: 1, double: 2.5)))
    let state = try #require(states(of: transceiver).first)
    #expect(bench.restore(state, at: .record(1), request: 1) == .applied)
    #expect(held.get()?.unsigned == value.unsigned)
    #expect(held.get()?.double == value.double)
  }

  @Test func `the newest values are kept, by number`() {
    let transceiver = bench.transceiver(configuration())
    let held = Held(-1)
    struct Count: Sendable { let count: Int }
    transceiver.onReset(initial: Reflected(Count(count: -1))) { held.set($0.value.count) }
    transceiver.resume()
    for count in 0..<10_000 {
      transceiver.record(action: "count", state: Reflected(Count(count: count)))
    }
    let states = states(of: transceiver)
    let kept = states.indices.filter { index in
      bench.restore(states[index], at: .record(SequenceNumber(UInt64(index + 1))), request: 1)
        == .applied && held.get() == index
    }
    #expect(kept.count >= 4_096 && kept.count <= 8_192)
    #expect(kept == Array((10_000 - kept.count)..<10_000))
  }

  @Test func `and by size`() {
    let transceiver = bench.transceiver(configuration())
    struct Text: Sendable { let text: String }
    transceiver.onReset(initial: Reflected(Text(text: ""))) { _ in }
    transceiver.resume()
    for index in 0..<9 {
      let text = String(repeating: "\(index)", count: 5 << 20)
      transceiver.record(action: "write", state: Reflected(Text(text: text)))
    }
    let answers = states(of: transceiver).map { bench.restore($0, at: .elsewhere, request: 1) }
    let kept = answers.count { $0 == .applied }
    #expect(kept >= 3 && kept <= 7)
    #expect(answers.suffix(kept).allSatisfy { $0 == .applied })
  }

  @Test func `a value that is nested too deep is shown and not put back`() throws {
    final class Box: Sendable {
      let inner: Box?
      init(_ depth: Int) { inner = depth == 0 ? nil : Box(depth - 1) }
    }
    let transceiver = bench.transceiver(configuration())
    transceiver.onReset(initial: Reflected(Box(0))) { _ in }
    transceiver.resume()
    for depth in [3, 70] { transceiver.record(action: "nest", state: Reflected(Box(depth))) }
    let states = states(of: transceiver)
    #expect(bench.restore(states[0], at: .record(1), request: 1) == .applied)
    guard case .rejected = bench.restore(states[1], at: .record(2), request: 2) else {
      Issue.record("it was not refused")
      return
    }
  }

  @Test func `a value that reflection cuts is shown and not put back`() throws {
    struct Text: Sendable { let text: [String] }
    let transceiver = bench.transceiver(configuration())
    transceiver.onReset(initial: Reflected(Text(text: []))) { _ in Issue.record("it was asked") }
    transceiver.resume()
    let text = [String(repeating: "a", count: 5 << 20), String(repeating: "b", count: 5 << 20)]
    transceiver.record(action: "write", state: Reflected(Text(text: text)))
    let state = try #require(states(of: transceiver).first)
    #expect(state.hasSuffix(#""<truncated>"]}"#))
    guard case .rejected = bench.restore(state, at: .record(1), request: 1) else {
      Issue.record("it was not refused")
      return
    }
  }

  @Test func `a store whose state is not Codable is put back`() async throws {
    let store = Store(
      initial: Engine(), reducer: Reducer<Gear, Engine>.reduce { $1.gear = $0 })
    let transceiver = bench.transceiver(configuration())
    let token = transceiver.record(reflecting: store)
    transceiver.resume()
    store.dispatch(.moving(1))
    store.dispatch(.moving(2))
    let states = states(of: transceiver)
    #expect(await bench.restored(states[0], at: .record(1), request: 1) == .applied)
    #expect(store.state.gear == .moving(1))
    #expect(await bench.restored(nil, at: .initial, request: 2) == .applied)
    #expect(store.state == Engine())
    #expect(self.states(of: transceiver).count == 2)
    token.cancel()
    let answer = await bench.restored(states[0], at: .record(1), request: 3)
    #expect(answer == .rejected(reason: "the program no longer observes its store"))
    #expect(store.state == Engine())
  }

  /// Rows are recorded, and any of them restored, in a random order.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `a random sequence leads where a model says`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let transceiver = bench.transceiver(configuration(seed % 2 == 0 ? .readable : .foundation))
    let engine = Held(Engine())
    transceiver.onReset(initial: Reflected(Engine())) { engine.set($0.value) }
    transceiver.resume()
    var rows: [Engine] = []
    for _ in 0..<40 {
      if rows.isEmpty || Bool.random(using: &random) {
        let gears = [Gear.idle, .moving(Int.random(in: -9...9, using: &random))]
        let value = Engine(
          gear: gears.randomElement(using: &random) ?? .idle,
          fuel: Double(Int.random(in: 0...12, using: &random)) / 4,
          name: [nil, "", "a\"é"].randomElement(using: &random) ?? nil)
        rows.append(value)
        engine.set(value)
        transceiver.record(action: "go", state: Reflected(value))
      } else {
        let index = Int.random(in: rows.indices, using: &random)
        let row = SequenceNumber(UInt64(index + 1))
        let state = states(of: transceiver)[index]
        #expect(bench.restore(state, at: .record(row), request: 1) == .applied)
        #expect(engine.get() == rows[index])
      }
    }
    #expect(states(of: transceiver).count == rows.count)
  }
}
