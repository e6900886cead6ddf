import SurfStore
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
