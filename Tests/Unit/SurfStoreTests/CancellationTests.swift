import SurfStore
import TestSupport
import Testing

/// Effects that run until they are cancelled.
@Suite struct CancellationTests {
  private let began = Log<String>()
  private let ended = Log<String>()

  /// Counts up until it is cancelled, and then says so.
  private func ticking(_ name: String) -> Effect<String> {
    .run { [began, ended] send in
      began.append(name)
      while !Task.isCancelled {
        send("tick of \(name)")
        await Task.yield()
      }
      ended.append(name)
      send("last of \(name)")
    }
  }

  private func store(
    cancelsEffectsOnRestore: Bool = false
  ) -> Store<String, Int> {
    let reducer = Reducer<String, Int> { action, count in
      count += 1
      switch action {
      case "start a": return [ticking("a").cancellable(id: 1)]
      case "start b": return [ticking("b").cancellable(id: 1)]
      case "restart": return [ticking("c").cancellable(id: 1, cancelInFlight: true)]
      case "other": return [ticking("other").cancellable(id: "1")]
      case "stop": return [.cancel(id: 1)]
      default: return []
      }
    }
    return Store(
      initial: 0, reducer: reducer, cancelsEffectsOnRestore: cancelsEffectsOnRestore)
  }

  private func wait(for isSo: () -> Bool) async {
    while !isSo() { await Task.yield() }
  }

  /// Waits until an effect has sent something.
  private func waitForTick(of store: Store<String, Int>, _ name: String) async {
    for await step in store.steps where step.action == "tick of \(name)" { return }
  }

  @Test(.timeLimit(.minutes(10))) func `an id cancels all that run under it, and no others`() async
  {
    let store = store()
    for action in ["start a", "start b", "other"] { store.dispatch(action) }
    await wait { began.entries.count == 3 }
    store.dispatch("stop")
    await wait { ended.entries.count == 2 }
    #expect(Set(ended.entries) == ["a", "b"])
    await waitForTick(of: store, "other")
  }

  @Test(.timeLimit(.minutes(10))) func `one in flight can be replaced by the next`() async {
    let store = store()
    store.dispatch("start a")
    await wait { began.entries == ["a"] }
    store.dispatch("restart")
    await wait { ended.entries == ["a"] }
    await waitForTick(of: store, "c")
  }

  @Test(.timeLimit(.minutes(10))) func `what a cancelled effect sends is dropped`() async {
    let store = store()
    let actions = Log<String>()
    let observation = store.observe { actions.append($0.action) }
    store.dispatch("start a")
    await wait { actions.entries.contains("tick of a") }
    store.dispatch("stop")
    await wait { ended.entries == ["a"] }
    store.dispatch("later")
    await wait { actions.entries.contains("later") }
    observation.cancel()
    #expect(!actions.entries.contains("last of a"))
  }

  @Test(.timeLimit(.minutes(10))) func `an effect that was mapped keeps its id`() async {
    let reducer = Reducer<[String], Int> { action, _ in
      let effect = action == ["stop"] ? Effect.cancel(id: 1) : ticking("a").cancellable(id: 1)
      return action.count == 1 ? [effect.map { [$0, "sent"] }] : []
    }
    let store = Store(initial: 0, reducer: reducer)
    store.dispatch(["start"])
    await wait { began.entries == ["a"] }
    store.dispatch(["stop"])
    await wait { ended.entries == ["a"] }
  }

  @Test(.timeLimit(.minutes(10))) func `a token cancels when it is dropped`() async {
    let store = store()
    var token: Subscription? = store.run(ticking("a"))
    await waitForTick(of: store, "a")
    #expect(token != nil)
    token = nil
    await wait { ended.entries == ["a"] }
  }

  @Test(.timeLimit(.minutes(10))) func `a store that goes cancels its effects`() async {
    do {
      let store = store()
      store.dispatch("start a")
      store.dispatch("other")
      await wait { began.entries.count == 2 }
    }
    await wait { ended.entries.count == 2 }
  }

  @Test(.timeLimit(.minutes(10))) func `a restore cancels if it was asked to`() async {
    let (keeping, cancelling) = (store(), store(cancelsEffectsOnRestore: true))
    keeping.dispatch("start a")
    cancelling.dispatch("start b")
    await wait { began.entries.count == 2 }
    keeping.restore(0)
    cancelling.restore(0)
    await wait { ended.entries == ["b"] }
    await waitForTick(of: keeping, "a")
    #expect(ended.entries == ["b"])
  }

  @Test(.timeLimit(.minutes(10)))
  func `effects that were cancelled before they began never count`() async {
    let store = store()
    for _ in 0..<200 {
      store.dispatch("start a")
      store.dispatch("stop")
    }
    await wait { ended.entries.count == 200 }
    let count = store.state
    store.dispatch("later")
    await wait { store.state > count }
    #expect(store.state == count + 1)
  }
}
