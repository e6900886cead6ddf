import Glibc
import Observation
import StateSurf
import SurfWire
import TestSupport
import Testing

/// Changes of state without actions, named by what differs.
@Suite struct ChangeTests {
  private let bench = Bench()

  private func transceiver(redacting paths: [String] = []) -> Transceiver {
    var configuration = bench.waiting()
    // Each record has its state whole.
    configuration.sendsDeltas = false
    configuration.redacted = paths
    return bench.transceiver(configuration)
  }

  private struct Cart: Codable, Equatable, Sendable {
    var items: [String] = []
    var total = 0
    var buyer: Buyer? = Buyer()
    var coupon: String?
    var note: String?
  }

  private struct Buyer: Codable, Equatable, Sendable {
    var name = "ada"
    var address = Address()
  }

  private struct Address: Codable, Equatable, Sendable {
    var street = "Main"
    var place = Place()
  }

  private struct Place: Codable, Equatable, Sendable { var town = "Ulm" }

  private func names(
    redacting paths: [String] = [], _ changes: [(inout Cart) -> Void]
  ) -> [String] {
    let transceiver = transceiver(redacting: paths)
    transceiver.resume()
    var cart = Cart()
    for change in changes {
      let former = cart
      change(&cart)
      transceiver.record(changeFrom: former, to: cart)
    }
    transceiver.flush(timeout: .seconds(600))
    return bench.sink.records.map(\.name)
  }

  @Test func `the name says which members differ`() {
    let names = names([
      { $0.items = ["milk"] },
      { ($0.items, $0.total) = ([], 3) },
      { _ in },
      { $0.buyer?.name = "bob" },
      { $0.buyer?.address.street = "High" },
      { $0.buyer = Buyer(name: "cat", address: Address(street: "Low")) },
      // Three levels are shown.
      { $0.buyer?.address.place.town = "Bonn" },
      { $0.buyer = nil },
      { $0 = Cart(items: ["egg"], total: 9, buyer: Buyer(), coupon: "x", note: "y") },
    ])
    #expect(
      names == [
        "state before", "changed items", "changed items, total",
        "changed nothing that is shown", "changed buyer.name", "changed buyer.address.street",
        "changed buyer.address, buyer.name",
        "changed buyer.address.place", "changed buyer", "changed buyer, coupon, items and 2 more",
      ])
  }

  private struct Shelf: Codable, Sendable { var items: [String: Buyer] = [:] }

  @Test func `the id of an element is left out of the name`() {
    let transceiver = transceiver()
    transceiver.resume()
    let ids = ["3F2A4C1E-8B7D-4E0A-9C55-0123456789AB", "0B1C", "170000", "2024", "+123456", "[…]x"]
    var shelf = Shelf(items: Dictionary(uniqueKeysWithValues: ids.map { ($0, Buyer()) }))
    func change(_ change: (inout Shelf) -> Void) {
      let former = shelf
      change(&shelf)
      transceiver.record(changeFrom: former, to: shelf)
    }
    for id in ids { change { $0.items[id]?.name = "bob" } }
    change { $0.items[ids[0]] = nil }
    change { $0.items = [ids[0]: Buyer(), "180000": Buyer()] }
    transceiver.flush(timeout: .seconds(600))
    #expect(
      bench.sink.records.map(\.name) == [
        "state before", "changed items[…].name", "changed items.0B1C.name",
        "changed items[…].name", "changed items.2024.name", "changed items.+123456.name",
        "changed items.[…]x.name", "removed items[…]", "changed items",
      ])
  }

  @Test func `the name says whether elements came or went`() {
    let transceiver = transceiver()
    transceiver.resume()
    let ids = (0..<4).map { "\($0)F2A4C1E-8B7D-4E0A-9C55-0123456789AB" }
    var todos: [String: Buyer] = [:]
    func change(_ change: (inout [String: Buyer]) -> Void) {
      let former = todos
      change(&todos)
      transceiver.record(changeFrom: former, to: todos)
    }
    change { $0[ids[0]] = Buyer() }
    change { ($0[ids[1]], $0[ids[2]]) = (Buyer(), Buyer()) }
    change { $0[ids[1]]?.name = "bob" }
    change { ($0[ids[1]], $0[ids[3]]) = (Buyer(name: "cat"), Buyer()) }
    change { ($0[ids[1]], $0[ids[3]]) = (nil, nil) }
    change { ($0[ids[0]], $0[ids[1]]) = (nil, Buyer()) }
    change { ($0["short"], $0[ids[0]]) = (Buyer(), Buyer()) }
    change { $0["short"] = nil }
    change { $0 = [:] }
    transceiver.flush(timeout: .seconds(600))
    #expect(
      bench.sink.records.dropFirst().map(\.name) == [
        "added […]", "added […]", "changed […].name", "changed […]", "removed […]", "changed […]",
        "changed short, […]", "changed short", "removed […]",
      ])
  }

  @Test func `a state that a viewer brought is not shown again before the first change`() async {
    let transceiver = transceiver()
    let cart = Counter(transceiver)
    transceiver.onReset(on: cart) { cart, reset in
      cart.state = try reset.state(as: Cart.self) ?? Cart()
    }
    transceiver.resume()
    #expect(
      await bench.restored(#"{"items":["egg"],"total":5}"#, at: .record(1), request: 1) == .applied)
    await cart.add("milk")
    #expect(await bench.recorded(1))
    #expect(bench.sink.records.map(\.name) == ["changed items"])
    // A refused one is not the app's.
    transceiver.suspend()
    transceiver.resume()
    #expect(await bench.restored("7", at: .record(1), request: 2) != .applied)
    await cart.add("bread")
    #expect(await bench.recorded(3))
    #expect(bench.sink.records.map(\.name) == ["changed items", "state before", "changed items"])
  }

  @Test func `the first change shows the state before it`() {
    let transceiver = transceiver()
    transceiver.resume()
    transceiver.record(changeFrom: 1, to: 2)
    transceiver.record(changeFrom: 2, to: 3)
    transceiver.flush(timeout: .seconds(600))
    #expect(bench.sink.records.map(\.name) == ["state before", "changed", "changed"])
    #expect(bench.sink.records.map { $0.state.text } == ["1", "2", "3"])
    withExtendedLifetime(transceiver) {}
  }

  @Test func `an action between two changes is in the name of neither`() {
    let transceiver = transceiver()
    transceiver.resume()
    transceiver.record(changeFrom: ["a": 1, "b": 1], to: ["a": 2, "b": 1])
    transceiver.record(action: "set b", state: ["a": 2, "b": 2])
    transceiver.record(changeFrom: ["a": 2, "b": 2], to: ["a": 3, "b": 2])
    transceiver.record(action: "seen", reflecting: 1)
    transceiver.record(changeFrom: ["a": 3, "b": 2], to: ["a": 4, "b": 2])
    transceiver.flush(timeout: .seconds(600))
    // What the reflected state was like before is unknown.
    #expect(
      bench.sink.records.map(\.name)
        == ["state before", "changed a", "set b", "changed a", "seen", "changed"])
    withExtendedLifetime(transceiver) {}
  }

  @Test func `a redacted member does not show that it differs`() {
    let names = names(redacting: ["note"], [{ $0.note = "a" }, { $0.note = "b" }])
    #expect(names[1...] == ["changed note", "changed nothing that is shown"])
  }

  @Test func `a state that cannot be encoded is an error, and the change has a name`() {
    let transceiver = transceiver()
    transceiver.resume()
    transceiver.record(changeFrom: ["a": 1.5], to: ["a": Double.nan])
    transceiver.flush(timeout: .seconds(600))
    #expect(bench.sink.records.map(\.kind) == [.action, .action, .log(.error)])
    #expect(bench.sink.records[1].name == "changed")
    withExtendedLifetime(transceiver) {}
  }

  @Test func `the state before the first change has no parent, and is shown again when resumed`() {
    let transceiver = transceiver()
    transceiver.resume()
    let request = transceiver.log("request")
    transceiver.withParent(request) {
      _ = transceiver.record(changeFrom: ["a": 1], to: ["a": 2])
    }
    transceiver.suspend()
    // Nobody sees this one.
    transceiver.record(changeFrom: ["a": 2], to: ["a": 3, "b": 1])
    transceiver.resume()
    transceiver.record(changeFrom: ["a": 3, "b": 1], to: ["a": 3, "b": 2])
    transceiver.flush(timeout: .seconds(600))
    let told = bench.sink.records.map { "\($0.name) ←\($0.parent)" }
    #expect(
      told == [
        "request ←0", "state before ←0", "changed a ←1", "state before ←0", "changed b ←0",
      ])
    withExtendedLifetime(transceiver) {}
  }

  @Test func `states that wait too long are given up, and leave no name behind`() {
    var configuration = Transceiver.Configuration()
    configuration.sendsDeltas = false
    let transceiver = bench.transceiver(configuration)
    transceiver.resume()
    bench.sink.block()
    transceiver.log("first")
    #expect(bench.sink.waitForSend())
    // Each counts 16 KiB until one has been encoded, so 128 MiB are 8,192 of them.
    for number in 0..<20_000 { transceiver.record(changeFrom: number, to: number + 1) }
    #expect(transceiver.counters.stateGivenUpCount > 11_000)
    bench.sink.unblock()
    transceiver.flush(timeout: .seconds(600))
    let records = bench.sink.records.dropFirst()
    #expect(records.allSatisfy { $0.name == "changed" || $0.name == "state before" })
    #expect(records.last?.state.text == "20000")
  }

  private actor Counter {
    // The handler of a reset keeps the actor, and the transceiver keeps the handler.
    unowned let transceiver: Transceiver
    var state = Cart() {
      didSet { transceiver.record(changeFrom: oldValue, to: state) }
    }

    init(_ transceiver: Transceiver) { self.transceiver = transceiver }

    func set(_ state: Cart) { self.state = state }
    func add(_ item: String) { state.items.append(item) }
  }

  @Test(arguments: [false, true])
  func `an actor records its changes, and none that a viewer made`(isOnActor: Bool) async {
    let transceiver = transceiver()
    let counter = Counter(transceiver)
    if isOnActor {
      transceiver.onReset(on: counter) { counter, reset in
        counter.state = try reset.state(as: Cart.self) ?? Cart()
      }
    } else {
      transceiver.onReset { reset async throws in
        await counter.set(try reset.state(as: Cart.self) ?? Cart())
      }
    }
    transceiver.resume()
    await counter.add("milk")
    #expect(
      await bench.restored(#"{"items":["egg"],"total":5}"#, at: .record(1), request: 1) == .applied)
    #expect(await counter.state.total == 5)
    await counter.add("bread")
    #expect(await bench.recorded(3))
    #expect(bench.sink.records.map(\.name) == ["state before", "changed items", "changed items"])
    #expect(bench.sink.records[2].state.text?.contains(#"["egg","bread"]"#) == true)
    withExtendedLifetime(transceiver) {}
  }

  /// A timer that a restore starts anew goes on when the restore is over.
  @Test func `a task that a handler starts records`() async {
    let transceiver = transceiver()
    let gate = AsyncStream<Void>.makeStream()
    transceiver.onReset { [weak transceiver] reset async throws in
      transceiver?.record(changeFrom: 0, to: 1)
      Task { [weak transceiver] in
        for await _ in gate.stream { transceiver?.record(changeFrom: 1, to: 2) }
      }
    }
    transceiver.resume()
    #expect(await bench.restored("5", at: .record(1), request: 1) == .applied)
    gate.continuation.yield()
    #expect(await bench.recorded(1))
    #expect(bench.sink.records.map { $0.state.text } == ["2"])
    gate.continuation.finish()
    withExtendedLifetime(transceiver) {}
  }

  @Test func `a reset of one transceiver silences no other`() async {
    let (one, other) = (transceiver(), Bench())
    let second = other.transceiver(other.waiting())
    second.resume()
    one.onReset { [weak one, weak second] _ in
      one?.record(changeFrom: 0, to: 1)
      second?.record(changeFrom: 0, to: 1)
    }
    one.resume()
    #expect(await bench.restored("5", at: .record(1), request: 1) == .applied)
    #expect(await other.recorded(2))
    #expect(bench.sink.records.isEmpty)
    withExtendedLifetime((one, second)) {}
  }

  @Observable @MainActor
  final class Model {
    var items: [String] = []
    var total = 0
    var unseen = 0
  }

  private struct Shown: Codable, Sendable {
    var items: [String]
    var total: Int
  }

  @MainActor
  @Test func `an observable model is recorded after each change`() async {
    let transceiver = transceiver()
    let model = Model()
    let token = transceiver.observe {
      Shown(items: model.items, total: model.total)
    } restore: { shown in
      (model.items, model.total) = (shown.items, shown.total)
    }
    transceiver.resume()
    model.items.append("milk")
    model.total += 3
    #expect(await bench.recorded(2))
    model.unseen += 1
    model.total += 1
    #expect(await bench.recorded(3))
    #expect(
      await bench.restored(#"{"items":["egg"],"total":9}"#, at: .record(1), request: 1) == .applied)
    #expect(model.total == 9)
    // The tasks of earlier changes come first.
    await Task { @MainActor in }.value
    model.total += 1
    #expect(await bench.recorded(4))
    #expect(await bench.restored(nil, at: .initial, request: 2) == .applied)
    #expect(model.total == 0 && model.items == [])
    // The initial state is known, so the next change is named by what differs from it.
    await Task { @MainActor in }.value
    model.total += 2
    #expect(await bench.recorded(5))
    #expect(
      bench.sink.records.map(\.name) == [
        "state before", "changed items, total", "changed total", "changed total", "changed total",
      ])
    #expect(bench.sink.records[3].state.text == #"{"items":["egg"],"total":10}"#)
    #expect(await bench.performed(#"{"command":"describe"}"#) == .applied)
    #expect(await bench.recorded(6))
    #expect(bench.sink.records[5].revision?.initial == ["items": [], "total": 0])
    token.cancel()
    await Task { @MainActor in }.value
    model.total += 1
    await Task { @MainActor in }.value
    transceiver.log("after")
    #expect(await bench.recorded(7))
    #expect(bench.sink.records.last?.name == "after")
    withExtendedLifetime(transceiver) {}
  }
  @MainActor
  @Test func `a change before a restore is recorded, and none of the restore`() async {
    let transceiver = transceiver()
    let model = Model()
    let token = transceiver.observe {
      Shown(items: model.items, total: model.total)
    } restore: { shown in
      (model.items, model.total) = (shown.items, shown.total)
    }
    transceiver.resume()
    // The main actor is busy, so the restore comes behind the change, but before its task.
    bench.reset(to: #"{"items":[],"total":7}"#, from: 1)
    usleep(50_000)
    model.total = 1
    #expect(await bench.answered(1))
    #expect(model.total == 7)
    model.total += 1
    #expect(await bench.recorded(3))
    #expect(bench.sink.records.map(\.name) == ["state before", "changed total", "changed total"])
    #expect(
      bench.sink.records.map { $0.state.text } == [0, 1, 8].map { #"{"items":[],"total":\#($0)}"# })
    #expect(bench.sink.records.map(\.parent) == [0, 0, 0])
    token.cancel()
    #expect(await bench.restored(nil, at: .initial, request: 2) != .applied)
    #expect(model.total == 8)
    withExtendedLifetime(transceiver) {}
  }

  @MainActor
  @Test func `a cancelled token keeps no model`() async {
    let transceiver = transceiver()
    weak var model: Model?
    do {
      let kept = Model()
      model = kept
      let token = transceiver.observe {
        Shown(items: kept.items, total: kept.total)
      } restore: {
        kept.total = $0.total
      }
      token.cancel()
    }
    await Task { @MainActor in }.value
    #expect(model == nil)
    withExtendedLifetime(transceiver) {}
  }
}
