import Observation
import SurfStore
import SwiftRexStyle
import TestSupport
import Testing

@Suite struct ValueStreamTests {
  @Test(.timeLimit(.minutes(10))) func `a slow reader of values gets the newest`() async {
    let store = appendingStore()
    var values = store.statePublisher.values.makeAsyncIterator()
    #expect(await values.next() == [])
    for action in 1...3 { store.dispatch(action) }
    #expect(await values.next() == [1, 2, 3])
  }

  @Test(.timeLimit(.minutes(10))) func `values end with the store`() async {
    let values: AsyncStream<[Int]>
    do {
      let store = appendingStore()
      values = store.statePublisher.values
      store.dispatch(1)
    }
    var states: [[Int]] = []
    for await state in values { states.append(state) }
    #expect(states == [[1]])
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
