import Foundation
import Observation
import StateSurf
import SurfStore
import SurfWire
import Synchronization
import Testing

/// What the three stores below have in common: every order of its actions leads to another state.
enum Tape: StateSurfable {
  struct State: StateInitializable, Equatable { var numbers: [Int] = [] }
  enum Action: Codable, Sendable { case add(Int) }
  static let reducer = Reducer<Action, State>.reduce { action, state in
    if case .add(let number) = action { state.numbers.append(number) }
  }
}

/// A store as ReSwift has it: a class with a state, a reducer, and subscribers.
private final class ClassicStore: Sendable {
  let history: StoreObserver<Tape>
  private let state = Mutex(Tape.State())

  init(history: StoreObserver<Tape>) { self.history = history }

  var numbers: [Int] { state.withLock { $0.numbers } }

  func dispatch(_ action: Tape.Action) {
    state.withLock { state in
      guard history.admits(action) else { return }
      _ = Tape.reducer.reduce(action, into: &state)
      history.record(action, state: state)
    }
  }

  func revise(_ change: (Tape.State) -> Tape.State?) {
    state.withLock { $0 = change($0) ?? $0 }
  }
}

/// A model as a user interface has it.
@MainActor @Observable private final class Model {
  let history: StoreObserver<Tape>
  private(set) var state = Tape.State()

  init(history: StoreObserver<Tape>) { self.history = history }

  func add(_ number: Int) {
    guard history.admits(.add(number)) else { return }
    state.numbers.append(number)
    history.record(.add(number), state: state)
  }

  func revise(_ change: (Tape.State) -> Tape.State?) { state = change(state) ?? state }
}

/// An actor that is its own store.
private actor Recorder {
  let history: StoreObserver<Tape>
  private(set) var state = Tape.State()

  init(history: StoreObserver<Tape>) { self.history = history }

  func perform(_ action: Tape.Action) {
    guard history.admits(action) else { return }
    _ = Tape.reducer.reduce(action, into: &state)
    history.record(action, state: state)
  }

  func revise(_ change: @Sendable (Tape.State) -> Tape.State?) { state = change(state) ?? state }
}

@Suite("A store of the program's own making")
struct ForeignStoreTests {
  private let bench = Bench()
  private let history: StoreObserver<Tape>

  init() { history = StoreObserver(transceiver: bench.transceiver()) }

  @Test func aClassWithALock() async {
    let store = ClassicStore(history: history)
    history.attach { [weak store] in
      store?.dispatch($0)
    } revise: { [weak store] in
      store?.revise($0)
    }
    await surf {
      store.dispatch(.add($0))
    } state: {
      store.numbers
    }
  }

  @Test func aModelOfTheMainActor() async {
    let model = await Model(history: history)
    history.attach { [weak model] action in
      if case .add(let number) = action { await model?.add(number) }
    } revise: { [weak model] in
      await model?.revise($0)
    }
    await surf {
      await model.add($0)
    } state: {
      await model.state.numbers
    }
  }

  @Test func anActor() async {
    let recorder = Recorder(history: history)
    history.attach { [weak recorder] in
      await recorder?.perform($0)
    } revise: { [weak recorder] in
      await recorder?.revise($0)
    }
    await surf {
      await recorder.perform(.add($0))
    } state: {
      await recorder.state.numbers
    }
  }

  /// All that a viewer can ask for.
  private func surf(_ add: (Int) async -> Void, state: () async -> [Int]) async {
    history.resume()
    for number in 1...3 { await add(number) }
    #expect(bench.configurations.map(\.control) == [[.allCommands, .hasWheel]])
    #expect(await bench.performed(#"{"command":"toggle","row":2}"#) == .applied)
    #expect(await state() == [1, 3])
    #expect(await bench.performed(#"{"command":"toggle","row":2}"#) == .applied)
    #expect(await state() == [1, 2, 3])
    bench.reset(to: #"{"numbers":[1]}"#, from: 1)
    #expect(await bench.answered(3))
    #expect(await state() == [1])
    #expect(await bench.performed(#"{"command":"dispatch","action":{"add":7}}"#) == .applied)
    #expect(await state() == [1, 7])
    #expect(await bench.performed(#"{"command":"lock"}"#) == .applied)
    await add(8)
    #expect(await state() == [1, 7])
    #expect(await bench.performed(#"{"command":"lock","on":false}"#) == .applied)
    #expect(await bench.performed(#"{"command":"toggle","row":1}"#) == .applied)
    #expect(await state() == [7])
    #expect(await bench.performed(#"{"command":"commit"}"#) == .applied)
    await add(9)
    #expect(await bench.performed(#"{"command":"rollback"}"#) == .applied)
    #expect(await state() == [7])
    bench.reset(to: nil)
    #expect(await bench.answered(10))
    #expect(await state() == [])
    history.transceiver.flush(timeout: .seconds(10))
    let actions = bench.sink.records.filter { $0.kind == .action }.map(\.name)
    #expect(actions == ["add(1)", "add(2)", "add(3)", "add(7)", "add(9)"])
    #expect(bench.sink.records.contains { $0.name == "refused while locked: add(8)" })
    history.suspend()
  }

  @Test func `It tells viewers of an action that it rejects, and why`() {
    history.resume()
    history.reject(.add(13), because: Objection(validator: "luck", reason: "13 has none"))
    #expect(bench.sink.waitForRecords(1))
    #expect(bench.sink.records[0].name == "rejected: add(13) (luck: 13 has none)")
    #expect(bench.sink.records[0].kind == .log(.warning))
    #expect(bench.sink.records[0].source.hasPrefix("StateSurfTests/ForeignStoreTests.swift:"))
  }

  @Test func `a reset returns it to the state that it was given, by the reducer that it was given`()
    async
  {
    let bench = Bench()
    let history = StoreObserver<Tape>(
      transceiver: bench.transceiver(), initial: Tape.State(numbers: [7]),
      reducer: .reduce { action, state in
        if case .add(let number) = action { state.numbers.append(-number) }
      })
    let state = Mutex(Tape.State(numbers: [7]))
    history.attach { _ in
    } revise: { change in
      state.withLock { $0 = change($0) ?? $0 }
    }
    history.resume()
    for (number, numbers) in [(1, [7, -1]), (2, [7, -1, -2])] {
      state.withLock { $0 = Tape.State(numbers: numbers) }
      history.record(.add(number), state: Tape.State(numbers: numbers))
    }
    #expect(await bench.performed(#"{"command":"toggle","row":1}"#) == .applied)
    #expect(state.withLock { $0.numbers } == [7, -2])
    bench.reset(to: nil)
    #expect(await bench.answered(2))
    #expect(state.withLock { $0.numbers } == [7])
    history.suspend()
  }

  @Test func withoutOneResetsAreForbidden() {
    history.resume()
    #expect(bench.perform(#"{"command":"commit"}"#) == .forbidden)
  }
}
