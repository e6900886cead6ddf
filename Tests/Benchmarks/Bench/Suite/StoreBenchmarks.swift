import SurfStore
import SurfThreads
import SwiftRexStyle
import Synchronization

// The cost of an action in a store that nobody watches. Two rows do the same by hand. One is the
// reducer under the store's own kind of lock or a Mutex. The other is a generic class with a
// closure and a lock, as a program would write it.
extension Benchmark {
  private static let batch = 100_000

  static let store: [Benchmark] = [
    Benchmark(name: "store-idle", summary: "an action's way through a store without listeners") {
      let store = Store(initial: Clicks(), reducer: Clicks.reducer)
      return measure(batch: batch) { for _ in 0..<batch { store.dispatch(.count) } }
    },
    Benchmark(name: "store-monitor", summary: "the same reducer under the store's kind of lock") {
      let state = Monitor(Clicks())
      let reducer = Clicks.reducer
      return measure(batch: batch) {
        for _ in 0..<batch { state.withLock { _ = reducer.reduce(.count, into: &$0) } }
      }
    },
    Benchmark(name: "store-mutex", summary: "the same reducer under a Mutex") {
      let state = Mutex(Clicks())
      let reducer = Clicks.reducer
      return measure(batch: batch) {
        for _ in 0..<batch { state.withLock { _ = reducer.reduce(.count, into: &$0) } }
      }
    },
    Benchmark(name: "store-hand", summary: "a generic class with a closure under a Mutex") {
      let store = HandWritten(Clicks()) { (_: Clicks.Action, state) in state.count &+= 1 }
      return measure(batch: batch) { for _ in 0..<batch { store.dispatch(.count) } }
    },
    Benchmark(
      name: "store-ratio", summary: "store-idle in times of store-monitor, batch by batch",
      run: measureRatio),
    Benchmark(
      name: "store-slices", summary: "a store with 100 subscribers of what does not change",
      run: measureSlices),
  ]

  /// A machine busy with other work slows both alike, so the ratio holds where times do not.
  private static func measureRatio() -> Measurement {
    let store = Store(initial: Clicks(), reducer: Clicks.reducer)
    let state = Monitor(Clicks())
    let reducer = Clicks.reducer
    let ratios = (0..<101).map { _ in
      let inStore = measure(batch: batch, warmUps: 0, repetitions: 1) {
        for _ in 0..<batch { store.dispatch(.count) }
      }
      let byHand = measure(batch: batch, warmUps: 0, repetitions: 1) {
        for _ in 0..<batch { state.withLock { _ = reducer.reduce(.count, into: &$0) } }
      }
      return inStore.median / byHand.median
    }
    return Measurement(ratios, unit: "x", of: "pairs of batches of \(batch)")
  }

  private static func measureSlices() throws -> Measurement {
    let store = Store(initial: Slices(), reducer: Slices.reducer)
    let calls = Calls()
    let subscriptions = (0..<100).map { index in
      store.subscribe {
        $0.others[index]
      } _: { _ in
        calls.count.add(1, ordering: .relaxed)
      }
    }
    let measurement = measure(batch: 1_000) { for _ in 0..<1_000 { store.dispatch(.count) } }
    // Each subscriber gets the current state when it subscribes.
    let count = calls.count.load(ordering: .relaxed)
    guard count == subscriptions.count else {
      throw BenchmarkFailure("\(count - subscriptions.count) calls of subscribers")
    }
    return measurement
  }
}

/// A store without anything that a store is for.
private final class HandWritten<Action: Sendable, State: Sendable>: Sendable {
  private let state: Mutex<State>
  private let reduce: @Sendable (Action, inout State) -> Void

  init(_ initial: State, _ reduce: @escaping @Sendable (Action, inout State) -> Void) {
    state = Mutex(initial)
    self.reduce = reduce
  }

  func dispatch(_ action: Action) { state.withLock { reduce(action, &$0) } }
}

private final class Calls: Sendable {
  let count = Atomic(0)
}

/// A counter.
private struct Clicks: Sendable {
  enum Action: Sendable { case count }

  var count = 0

  static let reducer = Reducer<Action, Clicks>.reduce { _, state in state.count &+= 1 }
}

/// A counter beside what others look at.
private struct Slices: Sendable {
  var clicks = Clicks()
  var others = Array(0..<100)

  static let reducer = Clicks.reducer.lift(state: \Slices.clicks)
}
