import Glibc
import SurfThreads
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct MonitorTests {
  private enum Refusal: Error { case odd }

  @Test func aChangeThatNobodyWaitsForIsSeenByWhoComesLater() {
    let number = Monitor(0)
    for _ in 0..<1_000 { number.withLock { $0 += 1 } }
    #expect(number.wait { $0 == 1_000 })
    #expect(number.withLockOnce { $0 == 1_000 ? "there" : nil } == "there")
  }

  @Test func aChangeEndsAWait() throws {
    let number = Monitor(0)
    let thread = try Thread.start(name: "surf-change") {
      // The first of them is not what is waited for.
      for _ in 0..<2 {
        usleep(2_000)
        number.withLock { $0 += 1 }
      }
    }
    #expect(number.wait(until: monotonicNow() + patience) { $0 == 2 })
    thread.join()
  }

  @Test func everybodyWhoWaitsIsWoken() throws {
    let (number, woken) = (Monitor(0), Monitor(0))
    let threads = try (0..<8).map { _ in
      try Thread.start(name: "surf-waiter") {
        number.wait { $0 == 1 }
        woken.withLock { $0 += 1 }
      }
    }
    usleep(5_000)
    number.withLock { $0 = 1 }
    #expect(woken.wait(until: monotonicNow() + patience) { $0 == 8 })
    for thread in threads { thread.join() }
  }

  /// However waiters and changes interleave, no wake is lost.
  @Test func whatIsHandedOverIsTakenOnce() throws {
    let (box, taken) = (Monitor<[Int]>([]), Monitor<[Int]>([]))
    let total = 4_000
    let takers = try (0..<3).map { _ in
      try Thread.start(name: "surf-taker") {
        while true {
          let number = box.withLockOnce { $0.popLast() }
          guard number >= 0 else { return }
          taken.withLock { $0.append(number) }
        }
      }
    }
    for number in 0..<total { box.withLock { $0.append(number) } }
    #expect(taken.wait(until: monotonicNow() + patience) { $0.count == total })
    box.withLock { $0 += [-1, -1, -1] }
    for taker in takers { taker.join() }
    #expect(taken.withLock { $0.sorted() } == Array(0..<total))
  }

  @Test func aDeadlineEndsAWaitNotBefore() {
    let number = Monitor(0)
    let deadline = monotonicNow() + .milliseconds(5)
    #expect(!number.wait(until: deadline) { $0 == 1 })
    #expect(monotonicNow() >= deadline)
  }

  @Test(arguments: [Duration.seconds(-10), .zero, .nanoseconds(1)])
  func aPastDeadlineEndsAWaitAtOnce(_ deadline: Duration) {
    let number = Monitor(0)
    #expect(!number.wait(until: deadline) { $0 == 1 })
    #expect(number.wait(until: deadline) { $0 == 0 })
  }

  @Test func anAbsurdDeadlineIsNone() throws {
    let number = Monitor(0)
    let thread = try Thread.start(name: "surf-late") {
      usleep(2_000)
      number.withLock { $0 = 1 }
    }
    #expect(number.wait(until: .seconds(Int64.max)) { $0 == 1 })
    thread.join()
  }

  @Test func anErrorComesOutAsItIsAndLeavesTheLockFree() throws {
    let number = Monitor(0)
    do throws(Refusal) {
      try number.withLock { number throws(Refusal) in
        number = 1
        throw .odd
      }
      Issue.record("nothing was thrown")
    } catch {
      #expect(error == .odd)
    }
    #expect(number.withLockIfFree { $0 } == 1)
  }

  @Test func whoWaitsHearsOfAChangeThatEndedInAnError() throws {
    let number = Monitor(0)
    let thread = try Thread.start(name: "surf-error") {
      usleep(2_000)
      do throws(Refusal) {
        try number.withLock { number throws(Refusal) in
          number = 1
          throw .odd
        }
      } catch {}
    }
    #expect(number.wait(until: monotonicNow() + patience) { $0 == 1 })
    thread.join()
  }

  @Test func whoFindsItTakenGoesAway() throws {
    let (number, isFree) = (Monitor(1), Monitor<Bool?>(nil))
    let hasIt = Monitor(false)
    let thread = try Thread.start(name: "surf-holder") {
      number.withLock { _ in
        hasIt.withLock { $0 = true }
        isFree.wait { $0 != nil }
      }
    }
    hasIt.wait { $0 }
    let seen: Int? = number.withLockIfFree { $0 }
    isFree.withLock { $0 = seen != nil }
    thread.join()
    #expect(seen == nil)
    #expect(number.withLockIfFree { $0 } == 1)
  }

  @Test func whatItGuardsGoesWithIt() {
    final class Guest: Sendable {}
    weak var guest: Guest?
    do {
      let monitor = Monitor(Guest())
      guest = monitor.withLock { $0 }
      #expect(guest != nil)
    }
    #expect(guest == nil)
  }
}
