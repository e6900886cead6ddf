import SurfStore
import TestSupport
import Testing

@Suite struct StoreTests {
  @Test func appliesActionsInOrder() {
    let store = appendingStore()
    for action in 1...3 { store.dispatch(action) }
    #expect(store.state == [1, 2, 3])
  }

  @Test func numbersStepsFromOneAndNamesTheirSource() throws {
    let store = appendingStore()
    let log = Log<Step<Int, [Int]>>()
    let subscription = store.observe(log.append)
    store.dispatch(7, file: "App/Main.swift", line: 12)
    store.dispatch(8)
    subscription.cancel()
    let steps = log.entries
    try #require(steps.count == 2)
    #expect(
      steps[0]
        == Step(
          id: 1, action: 7, state: [7], source: ActionSource(file: "App/Main.swift", line: 12)))
    #expect(steps[1].id == 2)
    #expect(steps[1].state == [7, 8])
    #expect(steps[1].source.file == #fileID)
    #expect(steps[0].source.description == "App/Main.swift:12")
  }

  @Test func observerSeesOnlyStepsEnqueuedAfterIt() {
    let store = appendingStore()
    let log = Log<UInt64>()
    store.dispatch(1)
    let subscription = store.observe { log.append($0.id) }
    store.dispatch(2)
    subscription.cancel()
    store.dispatch(3)
    #expect(log.entries == [2])
  }

  @Test func subscriberHearsTheCurrentStateAtOnceAndThenEachChange() {
    let store = appendingStore()
    let log = Log<[Int]>()
    store.dispatch(1)
    let subscription = store.subscribe(log.append)
    #expect(log.entries == [[1]])
    store.dispatch(2)
    #expect(log.entries == [[1], [1, 2]])
    subscription.cancel()
  }

  @Test func dispatchFromAnObserverIsQueuedAndNotRecursive() {
    let store = appendingStore()
    let log = Log<String>()
    let subscription = store.observe { step in
      log.append("enter \(step.action)")
      if step.action < 3 { store.dispatch(step.action + 1) }
      log.append("leave \(step.action)")
    }
    store.dispatch(1)
    subscription.cancel()
    #expect(
      log.entries == ["enter 1", "leave 1", "enter 2", "leave 2", "enter 3", "leave 3"])
    #expect(store.state == [1, 2, 3])
  }

  @Test func aLongChainOfDispatchesDoesNotGrowTheStack() {
    let store = Store(initial: 0, reducer: Reducer<Int, Int>.reduce { $1 = $0 })
    let subscription = store.subscribe { [weak store] in
      if $0 < 200_000 { store?.dispatch($0 + 1) }
    }
    subscription.cancel()
    #expect(store.state == 200_000)
  }

  @Test func everyListenerSeesAStepBeforeTheNextIsApplied() {
    let store = appendingStore()
    let log = Log<String>()
    let first = store.observe { step in
      log.append("first \(step.id)")
      if step.id == 1 { store.dispatch(2) }
    }
    let second = store.observe { log.append("second \($0.id)") }
    let third = store.subscribe { log.append("state \($0.count)") }
    store.dispatch(1)
    #expect(
      log.entries
        == ["state 0", "first 1", "second 1", "state 1", "first 2", "second 2", "state 2"])
    for subscription in [first, second, third] { subscription.cancel() }
  }

  @Test func `a reducer may return the new state`() {
    let reducer = Reducer<Int, [Int]> { action, state in state + [action] }
    var state = [1]
    #expect(reducer.reduce(2, into: &state).isEmpty)
    #expect(state == [1, 2])
  }

  @Test func stateIsReadableFromInsideTheReducer() {
    let store = Box<Store<Int, [Int]>>()
    let seen = Log<[Int]>()
    let reducer = Reducer<Int, [Int]>.reduce { action, state in
      state.append(action)
      if let state = store.content?.state { seen.append(state) }
    }
    store.content = Store(initial: [], reducer: reducer)
    store.content?.dispatch(1)
    store.content?.dispatch(2)
    #expect(seen.entries == [[], [1]])
    store.content = nil
  }
}

@Suite struct ActionSourceTests {
  @Test func `a source knows its function, and is equal by place and info`() {
    let store = appendingStore()
    let sources = Log<ActionSource>()
    let observation = store.observe { sources.append($0.source) }
    store.dispatch(1, file: "A.swift", line: 1)
    store.dispatch(2, file: "A.swift", function: "other()", line: 1)
    store.dispatch(3, file: "A.swift", line: 1, info: "why")
    observation.cancel()
    let list = sources.entries
    #expect(list[0].function == #function)
    #expect(list[0] == list[1])
    #expect(list[0] == ActionSource(file: "A.swift", line: 1))
    #expect(list[0] != list[2])
    #expect(Set(list).count == 2)
    #expect(list[2].info == "why")
    #expect(list[0].info == nil)
  }
}

@Suite struct RestoreTests {
  @Test func replacesTheStateWithoutAStep() {
    let store = appendingStore()
    let steps = Log<UInt64>()
    let states = Log<[Int]>()
    let observation = store.observe { steps.append($0.id) }
    let subscription = store.subscribe(states.append)
    store.dispatch(1)
    store.restore([9, 9])
    #expect(store.state == [9, 9])
    store.dispatch(2)
    #expect(steps.entries == [1, 2])
    #expect(states.entries == [[], [1], [9, 9], [9, 9, 2]])
    observation.cancel()
    subscription.cancel()
  }

  @Test func waitsForItsTurnBehindEarlierActions() {
    let store = appendingStore()
    let log = Log<String>()
    let subscription = store.observe { step in
      log.append("step \(step.state)")
      guard step.id == 1 else { return }
      store.dispatch(2)
      store.restore([0]) { log.append("restored \(store.state)") }
      store.dispatch(3)
      log.append("enqueued \(store.state)")
    }
    store.dispatch(1)
    subscription.cancel()
    #expect(
      log.entries
        == ["step [1]", "enqueued [1]", "step [1, 2]", "restored [0]", "step [0, 3]"])
  }

  @Test func completesAfterSubscribersWereTold() {
    let store = appendingStore()
    let log = Log<String>()
    let subscription = store.subscribe { log.append("state \($0)") }
    store.restore([5]) { log.append("completed") }
    subscription.cancel()
    #expect(log.entries == ["state []", "state [5]", "completed"])
  }
}
