import SurfStore
import TestSupport
import Testing

@Suite struct EffectTests {
  /// Answers each action with the effects that `effects` gives for it.
  private func store(
    _ effects: @escaping @Sendable (Int) -> [Effect<Int>]
  ) -> Store<Int, [Int]> {
    Store(
      initial: [],
      reducer: Reducer { action, state in
        state.append(action)
        return effects(action)
      })
  }

  @Test func runAfterTheStepWasDelivered() {
    let log = Log<String>()
    let store = store { action in
      guard action == 1 else { return [] }
      return [
        .fireAndForget { log.append("forget") },
        .sync {
          log.append("sync")
          return 2
        },
      ]
    }
    let observation = store.observe { log.append("step \($0.id)") }
    let subscription = store.subscribe { log.append("state \($0)") }
    store.dispatch(1)
    observation.cancel()
    subscription.cancel()
    #expect(
      log.entries
        == ["state []", "step 1", "state [1]", "forget", "sync", "step 2", "state [1, 2]"])
  }

  @Test func stepsNameTheStepThatCausedThem() {
    // 1 causes 10 and 11; 10 causes 100.
    let store = store { action in
      switch action {
      case 1: [.sync { 10 }, .sync { 11 }]
      case 10: [.sync { 100 }]
      default: []
      }
    }
    let log = Log<Step<Int, [Int]>>()
    let subscription = store.observe(log.append)
    store.dispatch(0)
    store.dispatch(1)
    subscription.cancel()
    #expect(log.entries.map(\.action) == [0, 1, 10, 11, 100])
    #expect(log.entries.map(\.cause) == [nil, nil, 2, 2, 3])
  }

  @Test func dispatchFromAnObserverHasNoCause() {
    let store = appendingStore()
    let causes = Log<UInt64?>()
    let subscription = store.observe { step in
      causes.append(step.cause)
      if step.id == 1 { store.dispatch(2) }
    }
    store.dispatch(1)
    subscription.cancel()
    #expect(causes.entries == [nil, nil])
  }

  @Test(.timeLimit(.minutes(10))) func aRunningEffectSendsWithItsCause() async throws {
    let store = store { action in
      guard action == 1 else { return [] }
      return [
        .run { send in
          for value in 2...4 {
            await Task.yield()
            send(value, file: "Effect.swift", line: 3)
          }
        }
      ]
    }
    let (steps, continuation) = AsyncStream.makeStream(of: Step<Int, [Int]>.self)
    let subscription = store.observe { step in
      continuation.yield(step)
      if step.action == 4 { continuation.finish() }
    }
    store.dispatch(1)
    var received: [Step<Int, [Int]>] = []
    for await step in steps { received.append(step) }
    subscription.cancel()
    try #require(received.map(\.action) == [1, 2, 3, 4])
    #expect(received.map(\.cause) == [nil, 1, 1, 1])
    #expect(received[1].source == ActionSource(file: "Effect.swift", line: 3))
  }

  @Test(.timeLimit(.minutes(10))) func aMappedRunSendsMappedActions() async {
    let effect = Effect<String>.run { send in send("four") }.map { $0.count }
    let store = store { $0 == 1 ? [effect] : [] }
    let (actions, continuation) = AsyncStream.makeStream(of: Int.self)
    let subscription = store.observe { step in
      continuation.yield(step.action)
      if step.id == 2 { continuation.finish() }
    }
    store.dispatch(1)
    var received: [Int] = []
    for await action in actions { received.append(action) }
    subscription.cancel()
    #expect(received == [1, 4])
  }

  @Test(.timeLimit(.minutes(10))) func aRunningEffectDoesNotKeepItsStore() async {
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    let (sent, continuation) = AsyncStream.makeStream(of: Void.self)
    var store: Store<Int, [Int]>? = store { _ in
      [
        .run { send in
          for await _ in gate {}
          send(2)
          continuation.finish()
        }
      ]
    }
    weak let weakStore = store
    store?.dispatch(1)
    store = nil
    #expect(weakStore == nil)
    opener.finish()
    for await _ in sent {}
  }
}
