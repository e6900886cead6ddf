import StateSurf
import SurfStore
import SurfWire
import Synchronization
import TestSupport
import Testing

/// A program with several states, which viewers see as one.
@Suite struct StatePartTests {
  private let bench = Bench()

  private struct Cart: Codable, Equatable, Sendable { var items: [String] = [] }
  private enum Change: Codable, Sendable {
    case add(String)
    case clear
  }
  private enum Mood: Codable, Equatable, Sendable {
    case calm
    case busy(Int)
  }
  private struct Refusal: Error {}

  private final class Program: Sendable {
    let cart = Mutex(Cart())
    let mood = Mutex(Mood.calm)
    let refusesMoods = Mutex(false)
    let cartPart: StatePart<Cart>
    let moodPart: StatePart<Mood>

    /// The closures are set before the program is whole.
    private final class Restores: Sendable { let program = Mutex<Program?>(nil) }

    init(_ transceiver: Transceiver) {
      let restores = Restores()
      cartPart = transceiver.part("cart", initial: Cart()) { new in
        restores.program.withLock(\.self)?.cart.withLock { $0 = new }
      }
      moodPart = transceiver.part("mood", initial: Mood.calm) { new async throws in
        guard let program = restores.program.withLock(\.self) else { return }
        if program.refusesMoods.withLock(\.self) { throw Refusal() }
        program.mood.withLock { $0 = new }
      }
      restores.program.withLock { $0 = self }
    }

    var state: String { "\(cart.withLock(\.items)) \(mood.withLock(\.self))" }

    func add(_ item: String) {
      let state = cart.withLock { cart in
        cart.items.append(item)
        return cart
      }
      cartPart.record(action: Change.add(item), state: state)
    }

    func set(_ new: Mood) {
      mood.withLock { $0 = new }
      moodPart.record(action: "feel", state: new)
    }
  }

  private func transceiver(
    _ coding: Transceiver.Configuration.Coding = .foundation, redacting paths: [String] = []
  ) -> Transceiver {
    var configuration = bench.waiting()
    // Each record has its state whole.
    configuration.sendsDeltas = false
    configuration.coding = coding
    configuration.redacted = paths
    return bench.transceiver(configuration)
  }

  private func rows(of transceiver: Transceiver) -> [(name: String, state: String)] {
    transceiver.flush(timeout: .seconds(600))
    return bench.sink.records.map { record in
      (record.name, record.state.content.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "")
    }
  }

  @Test(arguments: [Transceiver.Configuration.Coding.foundation, .readable])
  func `a row has the states of all parts, and a restore reaches each`(
    coding: Transceiver.Configuration.Coding
  ) async {
    let transceiver = transceiver(coding)
    let program = Program(transceiver)
    transceiver.resume()
    program.add("milk")
    program.set(.busy(3))
    program.cartPart.record(changeFrom: Cart(items: ["milk"]), to: Cart())
    let rows = rows(of: transceiver)
    #expect(
      rows.map(\.name) == [
        #"cart: add("milk")"#, "mood: feel", "state before", "changed cart.items",
      ])
    let there = #"{"cart":{"items":["milk"]},"mood":{"busy":{"_0":3}}}"#
    #expect(
      rows.map(\.state).dropFirst() == [
        there, there, #"{"cart":{"items":[]},"mood":{"busy":{"_0":3}}}"#,
      ])
    #expect(await bench.restored(nil, at: .initial, request: 1) == .applied)
    #expect(program.state == "[] calm")
    #expect(await bench.restored(there, at: .record(2), request: 2) == .applied)
    #expect(program.state == #"["milk"] busy(3)"#)
    // A part knows where a restore has put the others.
    program.set(.calm)
    #expect(
      self.rows(of: transceiver).last?.state.hasPrefix(#"{"cart":{"items":["milk"]}"#) == true)
  }

  @Test func `a change is named by what differs from the row before, whichever part made that`() {
    let transceiver = transceiver(.readable)
    let program = Program(transceiver)
    transceiver.resume()
    program.cartPart.record(changeFrom: Cart(), to: Cart(items: ["milk"]))
    program.set(.busy(3))
    program.cartPart.record(changeFrom: Cart(items: ["milk"]), to: Cart(items: ["tea"]))
    #expect(
      rows(of: transceiver).map(\.name)
        == ["state before", "changed cart.items", "mood: feel", "changed cart.items"])
  }

  @Test func `viewers see the initial states of all parts as row 0`() throws {
    let transceiver = transceiver(.readable)
    _ = Program(transceiver)
    transceiver.resume()
    #expect(bench.perform(#"{"command":"describe"}"#) == .applied)
    #expect(bench.sink.waitForRecords(1))
    #expect(
      bench.sink.records[0].revision?.initial == ["cart": ["items": []], "mood": ["calm": [:]]])
  }

  @Test(arguments: [
    #"{"cart":{"items":["tea"]}}"#, #"{"cart":{"items":["tea"]},"mood":7}"#, "[]", "{", "7",
  ])
  func `a state that a part cannot read changes none`(state: String) async {
    let transceiver = transceiver(.readable)
    let program = Program(transceiver)
    transceiver.resume()
    program.add("milk")
    guard case .rejected? = await bench.restored(state, at: .elsewhere, request: 1) else {
      Issue.record("\(state) was taken")
      return
    }
    #expect(program.state == #"["milk"] calm"#)
  }

  @Test func `if a part refuses its state, those before it get theirs back`() async {
    let transceiver = transceiver(.readable)
    let program = Program(transceiver)
    transceiver.resume()
    program.add("milk")
    program.refusesMoods.withLock { $0 = true }
    let state = #"{"cart":{"items":["tea"]},"mood":{"calm":{}}}"#
    guard case .rejected(let reason)? = await bench.restored(state, at: .elsewhere, request: 1)
    else {
      Issue.record("it was taken")
      return
    }
    #expect(reason.contains("Refusal") && program.state == #"["milk"] calm"#)
    program.set(.busy(1))
    #expect(
      rows(of: transceiver).last?.state == #"{"cart":{"items":["milk"]},"mood":{"busy":{"_0":1}}}"#)
  }

  /// Later rows of the other parts show a state that was recorded while recording was suspended.
  @Test func `a part that changes while recording is suspended is in the next row`() {
    let transceiver = transceiver(.readable)
    let program = Program(transceiver)
    program.add("milk")
    transceiver.resume()
    program.set(.busy(1))
    let rows = rows(of: transceiver)
    #expect(rows.map(\.name) == ["mood: feel"])
    #expect(rows.first?.state == #"{"cart":{"items":["milk"]},"mood":{"busy":{"_0":1}}}"#)
  }

  @Test func `a redacted value is in no row's name`() {
    let transceiver = transceiver(.readable, redacting: ["**.add"])
    let program = Program(transceiver)
    transceiver.resume()
    program.add("hunter2")
    let name = rows(of: transceiver).first?.name
    #expect(name?.hasPrefix("cart: add") == true && name?.contains("hunter2") == false)
  }

  /// The first state of a part is the one that it had when it was named.
  @Test func `a later part of the same name takes the place of the first`() async {
    let transceiver = transceiver(.readable)
    let old = transceiver.part("cart", initial: 1) { _ in Issue.record("the first was restored") }
    let taken = Mutex("")
    let new = transceiver.part("cart", initial: "a") { state in taken.withLock { $0 = state } }
    transceiver.resume()
    new.record(action: "b", state: "b")
    #expect(old.record(action: "2", state: 2) == nil)
    #expect(await bench.restored(#"{"cart":"c"}"#, at: .elsewhere, request: 1) == .applied)
    #expect(taken.withLock(\.self) == "c")
    // The second row is the viewer's state.
    #expect(rows(of: transceiver).map(\.state) == [#"{"cart":"b"}"#, #"{"cart":"c"}"#])
  }

  /// Parts are restored one after the other, and a program may go on meanwhile.
  @Test func `what a part records during a restore is in the rows of the others`() async {
    let transceiver = transceiver(.readable)
    let first = transceiver.part("a", initial: 0) { _ in }
    let last = transceiver.part("b", initial: 0) { _ in
      first.record(action: "meanwhile", state: 7)
    }
    transceiver.resume()
    #expect(await bench.restored(#"{"a":1,"b":2}"#, at: .elsewhere, request: 1) == .applied)
    last.record(action: "on", state: 3)
    let states = rows(of: transceiver).map(\.state)
    #expect(states.first == #"{"a":7,"b":2}"# && states.last == #"{"a":7,"b":3}"#)
  }

  // MARK: Stores

  private static let counting = Reducer<Change, Cart> { action, cart in
    switch action {
    case .add(let item):
      cart.items.append(item)
      return item == "all" ? [.sync { .clear }] : []
    case .clear:
      cart.items = []
      return []
    }
  }

  @Test func `the steps of two stores are the rows of one program`() async {
    let transceiver = transceiver(.readable)
    let home = Store(initial: Cart(), reducer: Self.counting)
    let work = Store(initial: Cart(items: ["pens"]), reducer: Self.counting)
    let tokens = [transceiver.part("home", of: home), transceiver.part("work", of: work)]
    transceiver.resume()
    home.dispatch(.add("milk"))
    work.dispatch(.add("all"))
    let rows = rows(of: transceiver)
    #expect(
      rows.map(\.name) == [#"home: add("milk")"#, #"work: add("all")"#, "work: clear"])
    #expect(bench.sink.records.map(\.parent) == [0, 0, 2])
    #expect(rows[1].state == #"{"home":{"items":["milk"]},"work":{"items":["pens","all"]}}"#)
    #expect(await bench.restored(rows[0].state, at: .record(1), request: 1) == .applied)
    #expect(home.state == Cart(items: ["milk"]) && work.state == Cart(items: ["pens"]))
    #expect(await bench.restored(nil, at: .initial, request: 2) == .applied)
    #expect(home.state == Cart() && work.state == Cart(items: ["pens"]))
    tokens[0].cancel()
    home.dispatch(.add("tea"))
    work.dispatch(.clear)
    let later = self.rows(of: transceiver).dropFirst(3)
    #expect(later.map(\.name) == ["work: clear"])
    #expect(later.map(\.state) == [#"{"work":{"items":[]}}"#])
    // An earlier row still has a member for the part that ended.
    #expect(await bench.restored(rows[1].state, at: .record(2), request: 3) == .applied)
    #expect(work.state == Cart(items: ["pens", "all"]) && home.state == Cart(items: ["tea"]))
  }

  @Test func `a store that is gone does not keep the others from a restore`() async {
    let transceiver = transceiver(.readable)
    let token = {
      transceiver.part("gone", of: Store(initial: Cart(), reducer: Self.counting))
    }()
    let work = Store(initial: Cart(), reducer: Self.counting)
    let other = transceiver.part("work", of: work)
    transceiver.resume()
    let state = #"{"gone":{"items":[]},"work":{"items":["ink"]}}"#
    #expect(await bench.restored(state, at: .elsewhere, request: 1) == .applied)
    #expect(work.state == Cart(items: ["ink"]))
    token.cancel()
    other.cancel()
  }

  /// It has stores, and must not deny that.
  @Test(arguments: [#"{"command":"dispatch","action":"clear"}"#, #"{"command":"commit"}"#])
  func `a program whose parts are stores says what a command needs`(command: String) {
    let transceiver = transceiver(.readable)
    let home = Store(initial: Cart(items: ["milk"]), reducer: Self.counting)
    let part = transceiver.part("home", of: home)
    transceiver.resume()
    guard case .rejected(let reason)? = bench.perform(command) else {
      Issue.record("\(command) was taken")
      return
    }
    #expect(reason.contains(" a HistoryTransceiver") && !reason.contains("no store"))
    #expect(home.state == Cart(items: ["milk"]))
    part.cancel()
  }

  // MARK: Sequences

  /// A row's state brings the program back to where it was after that row, whatever came between.
  @Test(arguments: 0..<8 as Range<UInt64>)
  func `every row can be restored, in any order`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let transceiver = transceiver(.readable)
    let program = Program(transceiver)
    transceiver.resume()
    var states: [String] = []
    for request in 1...60 as ClosedRange<UInt64> {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        program.add("\(request)")
        states.append(program.state)
      case 1:
        program.set(Bool.random(using: &random) ? .calm : .busy(Int(request)))
        states.append(program.state)
      default:
        guard let row = states.indices.randomElement(using: &random) else { continue }
        let state = rows(of: transceiver)[row].state
        program.refusesMoods.withLock { $0 = Int.random(in: 0..<4, using: &random) == 0 }
        let isRefused = program.refusesMoods.withLock(\.self)
        let former = program.state
        let result = await bench.restored(
          state, at: .record(SequenceNumber(UInt64(row + 1))), request: request)
        #expect(program.state == (isRefused ? former : states[row]))
        #expect((result == .applied) == !isRefused)
      }
    }
    #expect(rows(of: transceiver).count == states.count)
  }
}
