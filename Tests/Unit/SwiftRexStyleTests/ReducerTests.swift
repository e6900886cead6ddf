import SurfStore
import SwiftRexStyle
import TestSupport
import Testing

@Suite struct ReducerTests {
  /// Leaves `name` in the state, and in one effect, for the action "go".
  private static func tracing(_ name: String) -> Reducer<String, [String]> {
    Reducer { action, state in
      state.append("\(name) \(action)")
      return action == "go" ? [.sync { "effect of \(name)" }] : []
    }
  }

  /// Every state a store passes through after "go", effects included.
  private static func states(of reducer: Reducer<String, [String]>) -> [[String]] {
    let log = Log<[String]>()
    let store = Store(initial: [], reducer: reducer)
    let subscription = store.observe { log.append($0.state) }
    store.dispatch("go")
    subscription.cancel()
    return log.entries
  }

  private static let a = tracing("a")
  private static let b = tracing("b")
  private static let c = tracing("c")

  @Test func runsTheLeftReducerFirst() {
    let states = Self.states(of: Self.a <> Self.b)
    #expect(
      states == [
        ["a go", "b go"],
        ["a go", "b go", "a effect of a", "b effect of a"],
        ["a go", "b go", "a effect of a", "b effect of a", "a effect of b", "b effect of b"],
      ])
  }

  @Test func joiningIsAssociative() {
    let left = Self.states(of: (Self.a <> Self.b) <> Self.c)
    let right = Self.states(of: Self.a <> (Self.b <> Self.c))
    #expect(left == right)
    #expect(left.count == 4)
  }

  @Test func identityIsNeutralOnBothSides() {
    let alone = Self.states(of: Self.a)
    #expect(Self.states(of: .identity <> Self.a) == alone)
    #expect(Self.states(of: Self.a <> .identity) == alone)
    #expect(alone == [["a go"], ["a go", "a effect of a"]])
  }

  @Test func identityChangesNothing() {
    #expect(Self.states(of: .identity) == [[]])
  }
}

@Suite struct LiftTests {
  private enum AppAction: Equatable, Sendable {
    case counter(Int)
    case rename(String)
  }

  private struct AppState: Equatable, Sendable {
    var count = 0
    var name = ""
  }

  /// Adds the action, and answers a 10 with a 1.
  private static let counter = Reducer<Int, Int> { action, count in
    count += action
    return action == 10 ? [.sync { 1 }, .fireAndForget {}] : []
  }

  private static let lifted = counter.lift(
    action: { (action: AppAction) in
      if case .counter(let local) = action { local } else { nil }
    },
    embed: AppAction.counter, state: \AppState.count)

  @Test func changesItsPartOfTheStateOnly() {
    var state = AppState(count: 1, name: "kept")
    let effects = Self.lifted.reduce(.counter(2), into: &state)
    #expect(state == AppState(count: 3, name: "kept"))
    #expect(effects.isEmpty)
  }

  @Test func leavesTheStateToOtherActions() {
    var state = AppState(count: 1, name: "kept")
    let effects = Self.lifted.reduce(.rename("x"), into: &state)
    #expect(state == AppState(count: 1, name: "kept"))
    #expect(effects.isEmpty)
  }

  @Test func embedsTheActionsOfItsEffects() {
    let actions = Log<AppAction>()
    let store = Store(initial: AppState(), reducer: Self.lifted)
    let subscription = store.observe { actions.append($0.action) }
    store.dispatch(.counter(10))
    subscription.cancel()
    #expect(actions.entries == [.counter(10), .counter(1)])
    #expect(store.state.count == 11)
  }
}

@Suite struct ReducingTests {
  private struct Item: Identifiable, Equatable, Sendable {
    let id: String
    var count = 0
  }

  private struct World: Equatable, Sendable {
    var list = [1, 2, 3]
    var items = [Item(id: "a"), Item(id: "b"), Item(id: "a")]
    var table = ["a": 1, "b": 2]
  }

  private struct Named<Name: Sendable & Equatable>: Sendable, Equatable {
    let name: Name
    let amount: Int
  }

  /// Adds the action, and answers a 10 with a 1.
  private static let adding = Reducer<Int, Int> { amount, count in
    count += amount
    return amount == 10 ? [.sync { 1 }] : []
  }

  private static let counting = adding.lift(state: \Item.count)

  @Test(arguments: [-1, 3, Int.max, Int.min])
  func `an index out of range leaves the state`(index: Int) {
    let reducer = Self.adding.indexed(
      value: \World.list, action: { (action: Named<Int>) in (action.name, action.amount) })
    var state = World()
    #expect(reducer.reduce(Named(name: index, amount: 10), into: &state).isEmpty)
    #expect(state == World())
    _ = reducer.reduce(Named(name: 1, amount: 10), into: &state)
    #expect(state.list == [1, 12, 3])
  }

  @Test func `an index comes back with what an effect sends`() {
    let reducer = Self.adding.indexed(
      value: \World.list, action: { (action: Named<Int>) in (action.name, action.amount) },
      embed: Named.init)
    let store = Store(initial: World(), reducer: reducer)
    let actions = Log<Named<Int>>()
    let observation = store.observe { actions.append($0.action) }
    store.dispatch(Named(name: 2, amount: 10))
    observation.cancel()
    #expect(actions.entries == [Named(name: 2, amount: 10), Named(name: 2, amount: 1)])
    #expect(store.state.list == [1, 2, 14])
  }

  @Test func `an id means the first element that has it`() {
    let reducer = Self.counting.identified(
      value: \World.items, action: { (action: Named<String>) in (action.name, action.amount) })
    var state = World()
    _ = reducer.reduce(Named(name: "a", amount: 2), into: &state)
    _ = reducer.reduce(Named(name: "z", amount: 3), into: &state)
    #expect(state.items.map(\.count) == [2, 0, 0])
  }

  @Test func `a key that is missing leaves the dictionary`() {
    let reducer = Self.adding.identified(
      value: \World.table, action: { (action: Named<String>) in (action.name, action.amount) },
      embed: Named.init)
    let store = Store(initial: World(), reducer: reducer)
    store.dispatch(Named(name: "b", amount: 10))
    store.dispatch(Named(name: "z", amount: 10))
    #expect(store.state.table == ["a": 1, "b": 13])
  }

  @Test func `logging prints a step once, and keeps its effects`() {
    let log = Log<String>()
    let store = Store(initial: 0, reducer: Self.adding.logging(log.append))
    store.dispatch(10)
    #expect(log.entries == ["Action: 10\nState:\n- 10\n---", "Action: 1\nState:\n- 11\n---"])
    var state = 0
    _ = Self.adding.logging(log.append).reduce(10, into: &state)
    #expect(log.entries.count == 2)
  }
}

@Suite struct MutedLiftTests {
  private let done = Log<String>()

  @Test(.timeLimit(.minutes(10)))
  func `effects run without embed, but what they send is dropped`() async {
    let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
    let local = Reducer<Int, Int> { action, state in
      state += action
      return [
        .fireAndForget { done.append("forget") },
        .sync {
          done.append("sync")
          return 1
        },
        .run { send in
          send(2)
          continuation.finish()
        },
      ]
    }
    let lifted = local.lift(
      action: { (action: String) in Int(action) }, state: \[Int][0])
    let store = Store(initial: [0], reducer: lifted)
    store.dispatch("5")
    for await _ in ends {}
    #expect(done.entries == ["forget", "sync"])
    #expect(store.state == [5])
  }

  @Test func `the loss is told once`() {
    let dropped = DroppedActions("App/Main.swift", 3, printer: done.append)
    dropped.note(1)
    dropped.note(2)
    #expect(
      done.entries == [
        """
        App/Main.swift:3: an effect of this reducer sent an action, which was dropped: 1
          A reducer whose effects send actions must be lifted with `embed`.
        """
      ])
  }

  @Test func `a lift of the state alone keeps what effects send`() {
    let local = Reducer<Int, Int> { action, state in
      state += action
      return action == 10 ? [.sync { 1 }] : []
    }
    let store = Store(initial: [0, 0], reducer: local.lift(state: \[Int][1]))
    store.dispatch(10)
    #expect(store.state == [0, 11])
  }

  @Test func `pullback and a lift of the action alone do as lift does`() {
    let local = Reducer<Int, Int> { action, state in
      state += action
      return action == 10 ? [.sync { 1 }] : []
    }
    let get: @Sendable (String) -> Int? = { Int($0) }
    let embed: @Sendable (Int) -> String = { "\($0)" }
    let pulled = Store(
      initial: [0], reducer: local.pullback(value: \[Int][0], action: get, embed: embed))
    pulled.dispatch("10")
    pulled.dispatch("x")
    #expect(pulled.state == [11])
    let lifted = Store(initial: 0, reducer: local.lift(action: get, embed: embed))
    lifted.dispatch("10")
    lifted.dispatch("x")
    #expect(lifted.state == 11)
  }
}
