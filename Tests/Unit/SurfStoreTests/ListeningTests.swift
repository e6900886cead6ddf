import Observation
import SurfStore
import Testing

private struct Wide: Equatable, Sendable {
  var slots = Array(repeating: 0, count: 100)
  var name = ""
}

@Suite struct SliceTests {
  private let setting = Reducer<Int, Wide>.reduce { slot, state in
    if state.slots.indices.contains(slot) { state.slots[slot] += 1 } else { state.name += "x" }
  }

  @Test func `a step wakes those alone whose slice it changed`() {
    let store = Store(initial: Wide(), reducer: setting)
    let log = Log<[Int]>()
    let subscriptions = (0..<100).map { slot in
      store.subscribe(to: { $0.slots[slot] }) { log.append([slot, $0]) }
    }
    #expect(log.entries == (0..<100).map { [$0, 0] })
    store.dispatch(-1)
    store.dispatch(7)
    store.dispatch(-1)
    #expect(Array(log.entries.dropFirst(100)) == [[7, 1]])
    for subscription in subscriptions { subscription.cancel() }
  }

  @Test func `a restore is a change like any other`() {
    let store = Store(initial: Wide(), reducer: setting)
    let names = Log<String>()
    let subscription = store.subscribe(to: \.name, names.append)
    store.restore(Wide(name: "x"))
    store.restore(Wide(slots: [], name: "x"))
    store.dispatch(0)
    subscription.cancel()
    store.dispatch(1)
    #expect(names.entries == ["", "x", "xx"])
  }
}

@Suite struct StreamTests {
  @Test(.timeLimit(.minutes(10))) func `a slow reader of values gets the newest`() async {
    let store = appendingStore()
    var values = store.statePublisher.values.makeAsyncIterator()
    #expect(await values.next() == [])
    for action in 1...3 { store.dispatch(action) }
    #expect(await values.next() == [1, 2, 3])
  }

  @Test(.timeLimit(.minutes(10))) func `a reader of steps gets each of them`() async {
    let store = appendingStore()
    var steps = store.steps.makeAsyncIterator()
    for action in 1...3 { store.dispatch(action) }
    for id in 1...3 { #expect(await steps.next()?.id == UInt64(id)) }
  }

  @Test(.timeLimit(.minutes(10))) func `streams end with the store`() async {
    let streams: (AsyncStream<[Int]>, AsyncStream<Step<Int, [Int]>>)
    do {
      let store = appendingStore()
      streams = (store.statePublisher.values, store.steps)
      store.dispatch(1)
    }
    var states: [[Int]] = []
    for await state in streams.0 { states.append(state) }
    var ids: [UInt64] = []
    for await step in streams.1 { ids.append(step.id) }
    #expect(states == [[1]])
    #expect(ids == [1])
  }

  @Test(.timeLimit(.minutes(10))) func `a reader that goes no longer listens`() async {
    let store = appendingStore()
    let reader = Task {
      for await step in store.steps where step.action == 1 { break }
      for await state in store.statePublisher.values where !state.isEmpty { break }
    }
    while store.state.isEmpty {
      store.dispatch(1)
      await Task.yield()
    }
    let nudging = Task {
      while !Task.isCancelled {
        store.dispatch(1)
        await Task.yield()
      }
    }
    await reader.value
    nudging.cancel()
  }
}

@Suite struct ProjectionTests {
  @Test func `a projection of an Equatable state is silent while it stays equal`() {
    let store = appendingStore()
    let log = Log<Int>()
    let parity = store.projection(action: { (action: Int) in action }, state: { $0.count / 2 })
    let subscription = parity.statePublisher.sink(log.append)
    for action in 1...5 { parity.dispatch(action) }
    subscription.cancel()
    #expect(log.entries == [0, 1, 2])
  }

  @Test func `a projection keeps its store, and its source survives the way`() {
    let log = Log<ActionSource>()
    let projection: StoreProjection<Int, Int>
    let observation: Subscription
    do {
      let store = appendingStore()
      observation = store.observe { log.append($0.source) }
      projection = store.projection(action: { (action: Int) in action }, state: { $0.count })
    }
    projection.dispatch(1, file: "View.swift", line: 5)
    observation.cancel()
    #expect(log.entries == [ActionSource(file: "View.swift", line: 5)])
  }

  @Test func `mapAction is a handler of other actions`() {
    let store = appendingStore()
    let handler: AnyActionHandler<String> = store.mapAction { Int($0) }
    handler.dispatch("4")
    handler.dispatch("x")
    #expect(store.state == [4])
  }

  @Test func `a late subscriber hears the current state at once`() {
    let store = appendingStore()
    store.dispatch(1)
    let log = Log<Int>()
    let subscription = store.statePublisher.map(\.count).sink(log.append)
    subscription.cancel()
    #expect(log.entries == [1])
  }

  private func base(_ emitsValue: ShouldEmitValue<[Int]>) -> ReduxStoreBase<Int, [Int]> {
    let reducer = Reducer<Int, [Int]>.reduce { if $0 >= 0 { $1.append($0) } }
    return ReduxStoreBase(
      subject: .reactive(initialValue: []), reducer: reducer, middleware: IdentityMiddleware(),
      emitsValue: emitsValue)
  }

  private func heard(_ store: ReduxStoreBase<Int, [Int]>) -> [Int] {
    let log = Log<Int>()
    let subscription = store.statePublisher.sink { log.append($0.count) }
    for action in [1, -1, 2, 3] { store.dispatch(action) }
    subscription.cancel()
    return log.entries
  }

  @Test func `a base store emits always, when different, when asked, or never`() {
    #expect(heard(base(.always)) == [0, 1, 1, 2, 3])
    #expect(heard(base(.whenDifferent)) == [0, 1, 2, 3])
    #expect(heard(base(.when { $1.count >= $0.count + 2 })) == [0, 2])
    let never = base(.never)
    #expect(heard(never) == [0])
    #expect(never.state == [])
  }

  @Test func `a base store is another face of an existing store`() {
    let store = appendingStore()
    let base = ReduxStoreBase(store)
    base.dispatch(1)
    #expect(store.state == [1])
    #expect(base.store === store)
  }
}

@Suite struct ObservableViewModelTests {
  @Test func `it is observed, and changes only when it is different`() {
    let store = appendingStore()
    let model = store.projection(action: { (action: Int) in action }, state: { $0.count / 2 })
      .asObservableViewModel(initialState: -1)
    #expect(model.state == 0)
    let changes = Log<Int>()
    @Sendable func track() {
      withObservationTracking {
        _ = model.state
      } onChange: {
        changes.append(store.state.count)
      }
    }
    track()
    model.dispatch(1)
    #expect(changes.entries == [])
    model.dispatch(2)
    #expect(changes.entries == [2])
    #expect(model.state == 1)
  }

  @Test func `it goes when nobody holds it`() {
    let store = appendingStore()
    weak var weakModel: ObservableViewModel<Int, [Int]>?
    do {
      let model = store.asObservableViewModel(initialState: [])
      weakModel = model
      model.dispatch(1)
      #expect(model.state == [1])
    }
    #expect(weakModel == nil)
    store.dispatch(2)
  }

  @Test func `a state that cannot be compared changes with each step`() {
    struct Opaque: Sendable { var count = 0 }
    let store = Store(initial: Opaque(), reducer: Reducer<Int, Opaque>.reduce { $1.count += $0 })
    let model = store.asObservableViewModel(initialState: Opaque())
    model.dispatch(2)
    #expect(model.state.count == 2)
  }
}
