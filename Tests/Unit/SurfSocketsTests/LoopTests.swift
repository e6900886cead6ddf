import Glibc
import SurfSockets
import Synchronization
import Testing

extension RealSockets {
  /// The parts that a driver's loop is made of: clock, poller, thread.
  @Suite struct LoopTests {
    @Test func wakeEndsAWaitThatHasBegun() throws {
      let poller = try Poller()
      let thread = try SurfThread.start(name: "surf-wake") { poller.wake() }
      let deadline = monotonicNow() + patience
      #expect(try poller.wait(reading: [], until: deadline).isWoken)
      thread.join()
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
      let queue = Shared(0)
      let total = 20_000
      var seen = 0
      let thread = try SurfThread.start(name: "surf-producer") {
        for _ in 0..<total {
          queue.value.withLock { $0 += 1 }
          poller.wake()
        }
      }
      while seen < total {
        let deadline = monotonicNow() + patience
        let wakeup = try poller.wait(reading: [], until: deadline)
        try #require(wakeup.isWoken, "a wake was lost after \(seen)")
        seen = queue.value.withLock { $0 }
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

    @Test func tellsReadableFromWritable() throws {
      let pair = try Pair()
      let poller = try Poller()
      let member = pair.member.fileDescriptor
      let sender = pair.sender.fileDescriptor
      #expect(
        try poller.wait(reading: [member], writing: [sender], until: nil)
          == Wakeup(writable: [sender]))
      _ = pair.sender.send([[1]], to: pair.destination)
      #expect(
        try poller.wait(reading: [sender, member], until: nil) == Wakeup(readable: [member]))
    }

    @Test func aSocketMayMoveIntoItsThread() throws {
      let loopback = try NetworkInterface.named("lo")
      let socket = try UDPSocket.sender(on: loopback)
      let expected = socket.localEndpoint.port
      let port = Shared<UInt16>(0)
      let thread = try SurfThread.start(name: "surf-owner") {
        port.value.withLock { $0 = socket.localEndpoint.port }
      }
      thread.join()
      thread.join()
      #expect(port.value.withLock { $0 } == expected)
    }

    @Test(arguments: [
      ("surf-loop", "surf-loop"), ("a name far too long", "a name far too "), ("", ""),
    ])
    func aThreadBearsItsName(_ name: String, _ shown: String) throws {
      let found = Shared("")
      let thread = try SurfThread.start(name: name) {
        guard let file = fopen("/proc/thread-self/comm", "r") else { return }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = fread(&bytes, 1, bytes.count, file)
        found.value.withLock { $0 = String(decoding: bytes[..<count], as: UTF8.self) }
      }
      thread.join()
      #expect(found.value.withLock { $0 } == shown + "\n")
    }

    @Test func aThreadTakesNoSignalsButItsOwnFaults() throws {
      let blocked = Shared<[Int32]>([])
      let signals = [SIGINT, SIGTERM, SIGCHLD, SIGWINCH, SIGSEGV, SIGTRAP]
      let thread = try SurfThread.start(name: "surf-signals") {
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        blocked.value.withLock { $0 = signals.filter { sigismember(&mask, $0) == 1 } }
      }
      thread.join()
      #expect(blocked.value.withLock { $0 } == [SIGINT, SIGTERM, SIGCHLD, SIGWINCH])
    }

    @Test func startingAThreadLeavesTheStartersSignalsAlone() throws {
      let isBlocked = Shared(true)
      let starter = try SurfThread.start(name: "surf-starter") {
        var mask = sigset_t()
        sigaddset(&mask, SIGWINCH)
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        let inner = try? SurfThread.start(name: "surf-inner") {}
        inner?.join()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        isBlocked.value.withLock { $0 = sigismember(&mask, SIGWINCH) == 1 }
      }
      starter.join()
      #expect(isBlocked.value.withLock { !$0 })
    }

    @Test func clocksGoForward() {
      let first = monotonicNow()
      #expect(monotonicNow() >= first)
      // 2020-01-01 in nanoseconds; a test host's clock is at least past that.
      #expect(wallNow() > 1_577_836_800_000_000_000)
    }
  }
}

private final class Shared<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: Value) {
    self.value = Mutex(value)
  }
}
