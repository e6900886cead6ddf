import Dispatch
import Foundation
import Glibc
import SurfStore
import Synchronization
import TestSupport
import Testing

@Suite struct ConcurrencyTests {
  private static let threads = 8
  private static let perThread = 1_000

  /// Dispatches `thread * 1,000 + n` from eight concurrent threads.
  private func storm(_ store: Store<Int, [Int]>, also work: @Sendable (Int) -> Void = { _ in }) {
    DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
      for index in 0..<Self.perThread {
        store.dispatch(thread * Self.perThread + index)
        work(index)
      }
    }
  }

  /// Applied order of one thread's actions.
  private func actions(of thread: Int, in applied: [Int]) -> [Int] {
    applied.filter { $0 / Self.perThread == thread }
  }

  @Test func eightThreadsLoseNothingAndStepsAreDenseAndInOrder() {
    let store = appendingStore()
    let log = Log<Step<Int, Int>>()
    let subscription = store.observe { step in
      log.append(
        Step(id: step.id, action: step.action, state: step.state.count, source: step.source))
    }
    storm(store)
    subscription.cancel()
    let total = Self.threads * Self.perThread
    let steps = log.entries
    #expect(steps.map(\.id) == Array(1...UInt64(total)))
    #expect(steps.map(\.state) == Array(1...total))
    #expect(store.state == steps.map(\.action))
    for thread in 0..<Self.threads {
      let expected = (0..<Self.perThread).map { thread * Self.perThread + $0 }
      #expect(actions(of: thread, in: store.state) == expected)
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `of two threads that come to an idle store at one moment, one works for both`() {
    let store = Store(initial: 0, reducer: Reducer<Int, Int>.reduce { _, count in count += 1 })
    let rounds = 20_000
    let arrivals = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      for round in 1...rounds {
        arrivals.add(1, ordering: .relaxed)
        // Mostly without a system call: both must leave within nanoseconds.
        var spins = 0
        while arrivals.load(ordering: .relaxed) < round * 2 {
          spins += 1
          if spins % 1_000 == 0 { sched_yield() }
        }
        store.dispatch(round)
      }
    }
    let applied = store.state
    #expect(applied == rounds * 2)
  }

  /// What eight threads leave behind, without a list that each action would copy.
  private struct Tally: Equatable, Sendable {
    var count = 0
    /// Of the actions in their order.
    var digest: UInt64 = 0
    var newest = [Int](repeating: -1, count: ConcurrencyTests.threads)
    /// Actions that came before one that their thread had dispatched before.
    var swapped = 0

    mutating func add(_ action: Int) {
      let (thread, index) = (action & 7, action >> 3)
      count += 1
      digest = (digest ^ UInt64(action)) &* 0x100_0000_01B3
      if index != newest[thread] + 1 { swapped += 1 }
      newest[thread] = index
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `what eight threads dispatch is applied whole, in the order in which it is told`() {
    let isLong = ProcessInfo.processInfo.environment["STATESURF_LONG"] == "1"
    let perThread = isLong ? 100_000 : 2_000
    let store = Store(
      initial: Tally(), reducer: Reducer<Int, Tally>.reduce { action, tally in tally.add(action) })
    let told = Box<Tally>()
    told.content = Tally()
    let subscription = store.observe { step in
      var tally = told.content ?? Tally()
      tally.add(step.action)
      told.content = tally
    }
    DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
      for index in 0..<perThread { store.dispatch(index << 3 | thread) }
    }
    let total = Self.threads * perThread
    // No caller works for others without limit: a task may still do the rest.
    for _ in 0..<60_000 where store.state.count < total { usleep(1_000) }
    subscription.cancel()
    let applied = store.state
    #expect(applied.count == total && applied.swapped == 0)
    #expect(told.content == applied)
  }

  @Test func callbacksNeverOverlap() {
    let store = appendingStore()
    let inside = Log<Int>()
    let depth = Box<Int>()
    depth.content = 0
    let subscription = store.observe { _ in
      let now = (depth.content ?? 0) + 1
      depth.content = now
      if now != 1 { inside.append(now) }
      depth.content = now - 1
    }
    storm(store)
    subscription.cancel()
    #expect(inside.entries.isEmpty)
  }

  @Test func statesReadMeanwhileNeverGoBackwards() {
    let store = appendingStore()
    let backwards = Log<Int>()
    let newest = (0..<Self.threads).map { _ in Box<Int>() }
    DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
      for index in 0..<Self.perThread {
        store.dispatch(index)
        let count = store.state.count
        if count < newest[thread].content ?? 0 { backwards.append(count) }
        newest[thread].content = count
      }
    }
    #expect(backwards.entries.isEmpty)
    #expect(store.state.count == Self.threads * Self.perThread)
  }

  @Test func listenersComeAndGoDuringAStorm() {
    let store = appendingStore()
    let gaps = Log<Int>()
    storm(store) { index in
      guard index % 50 == 0 else { return }
      let previous = Box<Int>()
      let subscription = store.subscribe { state in
        if let count = previous.content, state.count != count + 1 { gaps.append(state.count) }
        previous.content = state.count
      }
      store.dispatch(-1)
      subscription.cancel()
    }
    #expect(gaps.entries.isEmpty)
    let extra = Self.threads * Self.perThread / 50
    #expect(store.state.count == Self.threads * Self.perThread + extra)
  }
}
