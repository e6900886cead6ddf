import Dispatch
import Glibc
import SurfStore
import Synchronization
import TestSupport
import Testing

/// A store that somebody observes only now and then.
@Suite struct SwitchingTests {
  private static let threads = 8
  private static let perThread = 400

  @Test(.timeLimit(.minutes(10)), arguments: UInt64(0)..<6)
  func `a store that is watched now and then loses nothing, and records in applied order`(
    seed: UInt64
  ) {
    let run = SwitchingRun(seed: seed)
    DispatchQueue.concurrentPerform(iterations: Self.threads + 2) { thread in
      if thread < Self.threads {
        run.dispatch(thread * Self.perThread..<(thread + 1) * Self.perThread)
      } else {
        run.visit(asNumber: thread)
      }
    }
    let applied = run.store.state
    let answers = run.answerCount.load(ordering: .relaxed)
    #expect(applied.count == Self.threads * Self.perThread + answers)
    for first in stride(from: 0, to: Self.threads * Self.perThread, by: Self.perThread) {
      let own = first..<(first + Self.perThread)
      #expect(applied.filter(own.contains) == Array(own))
    }
    #expect(run.faults.entries.isEmpty)
    #expect(run.visits.entries.count == SwitchingRun.visitCount * 2)
    for steps in run.visits.entries {
      #expect(steps.map(\.action) == steps.map { applied[Int($0.id) - 1] })
      #expect(steps.map(\.state) == steps.map { Int($0.id) })
      #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.id + 1 == $1.id })
    }
  }
}

private final class SwitchingRun: Sendable {
  static let visitCount = 60

  let seed: UInt64
  let store: Store<Int, [Int]>
  let faults: Log<String>
  /// The steps of each visit; of the states only their sizes.
  let visits = Log<[Step<Int, Int>]>()
  let answerCount = Atomic(0)

  init(seed: UInt64) {
    let faults = Log<String>()
    let reducing = Reducing()
    let reducer = Reducer<Int, [Int]>.reduce { action, state in
      if reducing.isUnderWay.exchange(true, ordering: .relaxed) { faults.append("two reduce") }
      state.append(action)
      // Others come in the meantime.
      if action % 7 == 0 { usleep(20) }
      reducing.isUnderWay.store(false, ordering: .relaxed)
    }
    self.seed = seed
    self.faults = faults
    store = Store(initial: [], reducer: reducer)
  }

  private final class Reducing: Sendable {
    let isUnderWay = Atomic(false)
  }

  func dispatch(_ actions: Range<Int>) {
    var generator = SeededGenerator(seed: seed &* 1_000 &+ UInt64(actions.lowerBound))
    var newest = 0
    for action in actions {
      store.dispatch(action)
      guard Int.random(in: 0..<4, using: &generator) == 0 else { continue }
      let count = store.state.count
      if count < newest { faults.append("from \(newest) back to \(count)") }
      newest = count
    }
  }

  /// Listens again and again, and in between lets the store be alone.
  func visit(asNumber number: Int) {
    var generator = SeededGenerator(seed: seed &* 1_000 &+ UInt64(number))
    for _ in 0..<Self.visitCount {
      let steps = Log<Step<Int, Int>>()
      let observation = store.observe { step in
        steps.append(
          Step(id: step.id, action: step.action, state: step.state.count, source: step.source))
      }
      let subscription = store.subscribe { [self, answer = Once()] _ in
        guard answer.take() else { return }
        answerCount.add(1, ordering: .relaxed)
        store.dispatch(-1)
      }
      readStates(until: Int.random(in: 0..<8, using: &generator))
      subscription.cancel()
      readStates(until: Int.random(in: 0..<8, using: &generator))
      observation.cancel()
      // Behind this turn nothing more comes.
      waitForTurn()
      visits.append(steps.entries)
      readStates(until: Int.random(in: 0..<40, using: &generator))
    }
  }

  /// Until so many actions more were applied, or until nothing happens any longer.
  private func readStates(until growth: Int) {
    var newest = 0
    var end = Int.max
    for _ in 0..<10_000 where newest < end {
      let count = store.state.count
      if end == Int.max { end = count + growth }
      if count < newest { faults.append("from \(newest) back to \(count)") }
      newest = count
    }
  }

  private func waitForTurn() {
    let end = DispatchSemaphore(value: 0)
    store.revise({ _ in nil }, completion: { end.signal() })
    end.wait()
  }
}

/// True once.
private final class Once: Sendable {
  private let isTaken = Atomic(false)

  func take() -> Bool { !isTaken.exchange(true, ordering: .relaxed) }
}
