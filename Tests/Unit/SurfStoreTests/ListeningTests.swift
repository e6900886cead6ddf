import SurfStore
import TestSupport
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
  @Test(.timeLimit(.minutes(10))) func `a reader of steps gets each of them`() async {
    let store = appendingStore()
    var steps = store.steps.makeAsyncIterator()
    for action in 1...3 { store.dispatch(action) }
    for id in 1...3 { #expect(await steps.next()?.id == UInt64(id)) }
  }

  @Test(.timeLimit(.minutes(10))) func `steps end with the store`() async {
    let steps: AsyncStream<Step<Int, [Int]>>
    do {
      let store = appendingStore()
      steps = store.steps
      store.dispatch(1)
    }
    var ids: [UInt64] = []
    for await step in steps { ids.append(step.id) }
    #expect(ids == [1])
  }

  @Test(.timeLimit(.minutes(10))) func `a reader that goes no longer listens`() async {
    let store = appendingStore()
    let reader = Task {
      for await step in store.steps where step.action == 1 { break }
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
