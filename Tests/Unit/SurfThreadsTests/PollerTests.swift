import Glibc
import SurfThreads
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct PollerTests {
  @Test func wakeEndsAWaitThatHasBegun() throws {
    let poller = try Poller()
    let thread = try Thread.start(name: "surf-wake") { poller.wake() }
    let deadline = monotonicNow() + patience
    #expect(try poller.wait(reading: [], until: deadline).isWoken)
    thread.join()
  }

  @Test func aWakeBeforeTheWaitEndsIt() throws {
    let poller = try Poller()
    poller.wake()
    #expect(try poller.wait(reading: [], until: nil) == Wakeup(isWoken: true))
  }

  @Test func manyWakesAreOneAndLaterOnesAreHeardAgain() throws {
    let poller = try Poller()
    for _ in 0..<3 {
      poller.wake()
      poller.wake()
      #expect(try poller.wait(reading: [], until: nil) == Wakeup(isWoken: true))
      #expect(try poller.wait(reading: [], until: monotonicNow()) == Wakeup())
    }
  }

  /// Every value handed over with a `wake` is seen, however the two threads interleave.
  @Test func noWakeIsLost() throws {
    let poller = try Poller()
    let queue = Monitor(0)
    let total = 20_000
    var seen = 0
    let thread = try Thread.start(name: "surf-producer") {
      for _ in 0..<total {
        queue.withLock { $0 += 1 }
        poller.wake()
      }
    }
    while seen < total {
      let deadline = monotonicNow() + patience
      let wakeup = try poller.wait(reading: [], until: deadline)
      try #require(wakeup.isWoken, "a wake was lost after \(seen)")
      seen = queue.withLock { $0 }
    }
    thread.join()
  }

  @Test func aDeadlineEndsTheWaitNotBefore() throws {
    let poller = try Poller()
    let deadline = monotonicNow() + .milliseconds(5)
    #expect(try poller.wait(reading: [], until: deadline) == Wakeup())
    #expect(monotonicNow() >= deadline)
  }

  @Test(arguments: [Duration.seconds(-10), .zero, .nanoseconds(1)])
  func aPastDeadlineReturnsAtOnce(_ deadline: Duration) throws {
    #expect(try Poller().wait(reading: [], until: deadline) == Wakeup())
  }

  @Test func aTimeThatIsMovedIsTheOnlyOneThatCounts() throws {
    let poller = try Poller()
    let timer = try DeadlineTimer()
    let descriptors = [timer.fileDescriptor]
    let hasCome = Wakeup(readable: descriptors)
    // Never set, then set to what will not come, then moved from what has come to what will not.
    #expect(try poller.wait(reading: descriptors, until: .zero) == Wakeup())
    let hour = monotonicNow() + .seconds(3_600)
    timer.set(hour)
    #expect(try poller.wait(reading: descriptors, until: .zero) == Wakeup())
    for past in [Duration.seconds(-1), .zero, .nanoseconds(1), monotonicNow()] {
      timer.set(past)
      #expect(try poller.wait(reading: descriptors, until: hour) == hasCome)
      timer.set(hour)
      #expect(try poller.wait(reading: descriptors, until: .zero) == Wakeup())
    }
    let soon = monotonicNow() + .milliseconds(5)
    timer.set(soon)
    #expect(try poller.wait(reading: descriptors, until: hour) == hasCome)
    #expect(monotonicNow() >= soon)
    timer.set(.seconds(Int64.max))
    #expect(try poller.wait(reading: descriptors, until: .zero) == Wakeup())
  }

  @Test func aDescriptorThatIsReadyEndsTheWait() throws {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let (reader, writer) = (ends[0], ends[1])
    #expect(try Poller.wait(reading: [reader], until: .zero) == Wakeup())
    let hasRoom = try Poller.wait(reading: [reader], writing: [writer], until: nil)
    #expect(hasRoom == Wakeup(writable: [writer]))
    write(writer, "1", 1)
    #expect(try Poller.wait(reading: [reader], until: nil) == Wakeup(readable: [reader]))
    let poller = try Poller()
    poller.wake()
    let both = try poller.wait(reading: [reader], writing: [writer], until: nil)
    #expect(both == Wakeup(readable: [reader], writable: [writer], isWoken: true))
  }

  @Test func aWakerIsReadyUntilItIsCleared() throws {
    let waker = try Waker()
    let descriptors = [waker.fileDescriptor]
    for _ in 0..<3 {
      #expect(try Poller.wait(reading: descriptors, until: .zero) == Wakeup())
      waker.wake()
      waker.wake()
      #expect(try Poller.wait(reading: descriptors, until: nil) == Wakeup(readable: descriptors))
      waker.clear()
    }
  }

  @Test func whoIsWatchedIsMissedWhenItLeaves() throws {
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    let (reader, writer) = (ends[0], ends[1])
    defer { close(writer) }
    write(writer, "1", 1)
    #expect(try Poller.wait(watching: [reader, writer], until: .zero) == Wakeup())
    close(reader)
    #expect(try Poller.wait(watching: [writer], until: nil) == Wakeup(abandoned: [writer]))
    // A number that is not a descriptor does not count as abandoned.
    #expect(try Poller.wait(watching: [.max], until: .zero) == Wakeup())
  }

  @Test func whatWaitsInVainSaysWhy() {
    let error = ThreadError.noWait(errno: EINVAL)
    #expect(error.description == "cannot wait for descriptors: Invalid argument (errno 22)")
    #expect(error.errno == EINVAL)
    #expect(
      "\(ThreadError.noThread(name: "x", errno: EAGAIN))".hasPrefix("cannot start the thread 'x'"))
  }
}
