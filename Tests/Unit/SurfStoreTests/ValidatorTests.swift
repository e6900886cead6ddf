import SurfStore
import TestSupport
import Testing

@Suite struct ValidatorTests {
  private static let rules = [
    Validator<[Int]>("no seven") { !$0.contains(7) },
    Validator("not too many") { $0.count > 5 ? "\($0.count) are more than 5" : nil },
  ]

  private static func store() -> Store<Int, [Int]> {
    Store(initial: [], reducer: appending, validators: rules)
  }

  @Test func `An action that leads to a bad state changes nothing and takes no number`() {
    let store = Self.store()
    let steps = Log<UInt64>()
    let states = Log<[Int]>()
    let subscriptions = [
      store.observe { steps.append($0.id) }, store.subscribe { states.append($0) },
    ]
    for action in [1, 7, 2] { store.dispatch(action) }
    #expect(store.state == [1, 2])
    #expect(steps.entries == [1, 2])
    #expect(states.entries == [[], [1], [1, 2]])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `Those who observe rejections hear of the first objection alone`() {
    let store = Self.store()
    let heard = Log<Rejection<Int>>()
    let subscription = store.observeRejections { heard.append($0) }
    for action in [1, 2, 3, 4, 5] { store.dispatch(action) }
    let source = ActionSource(file: "Test.swift", line: 3)
    store.dispatch(6, from: source)
    store.dispatch(7, from: source)
    subscription.cancel()
    store.dispatch(8, from: source)
    #expect(
      heard.entries.map(\.objection.description) == [
        "not too many: 6 are more than 5", "no seven",
      ])
    #expect(heard.entries.map(\.action) == [6, 7])
    #expect(heard.entries.map(\.source) == [source, source])
    #expect(store.state == [1, 2, 3, 4, 5])
  }

  @Test func `The effects of a rejected action are dropped`() {
    let reducer = Reducer<Int, [Int]> { action, state in
      state.append(action)
      return action < 100 ? [.sync { action + 100 }] : []
    }
    let store = Store(initial: [], reducer: reducer, validators: Self.rules)
    store.dispatch(7)
    store.dispatch(1)
    #expect(store.state == [1, 101])
  }

  @Test func `A restore is not asked about`() {
    let store = Self.store()
    store.restore([7])
    #expect(store.state == [7])
    store.dispatch(1)
    #expect(store.state == [7])
  }

  @Test func `A validated reducer does what the store does`() {
    var generator = SeededGenerator(seed: 25)
    let store = Self.store()
    let reducer = appending.validated(by: Self.rules)
    var state: [Int] = []
    for _ in 1...200 {
      if Int.random(in: 0..<8, using: &generator) == 0 {
        store.restore([])
        state = []
      }
      let action = Int.random(in: 1...8, using: &generator)
      store.dispatch(action)
      _ = reducer.reduce(action, into: &state)
      #expect(store.state == state)
    }
  }
}
