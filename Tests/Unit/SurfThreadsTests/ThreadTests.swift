import Glibc
import SurfThreads
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ThreadTests {
  @Test func joinWaitsForTheEndOfTheBody() throws {
    let hasEnded = Monitor(false)
    let thread = try Thread.start(name: "surf-end") {
      usleep(5_000)
      hasEnded.withLock { $0 = true }
    }
    thread.join()
    #expect(hasEnded.withLock { $0 })
    thread.join()
  }

  /// Nor where another waits for it already.
  @Test func aThreadDoesNotWaitForItself() throws {
    let own = Monitor<Thread?>(nil)
    let thread = try Thread.start(name: "surf-own") {
      own.wait { $0 != nil }
      usleep(5_000)
      own.withLock { $0 }?.join()
    }
    own.withLock { $0 = thread }
    thread.join()
    own.withLock { $0 = nil }
  }

  @Test func aThreadThatNobodyHoldsGoesOn() throws {
    let mayEnd = Monitor(false)
    let hasEnded = Monitor(false)
    _ = try Thread.start(name: "surf-alone") {
      mayEnd.wait { $0 }
      hasEnded.withLock { $0 = true }
    }
    mayEnd.withLock { $0 = true }
    #expect(hasEnded.wait(until: monotonicNow() + patience) { $0 })
  }

  @Test(arguments: [
    ("surf-loop", "surf-loop"), ("a name far too long", "a name far too "), ("", ""),
  ])
  func aThreadBearsItsName(_ name: String, _ shown: String) throws {
    let found = Monitor("")
    let thread = try Thread.start(name: name) {
      guard let file = fopen("/proc/thread-self/comm", "r") else { return }
      defer { fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 32)
      let count = fread(&bytes, 1, bytes.count, file)
      found.withLock { $0 = String(decoding: bytes[..<count], as: UTF8.self) }
    }
    thread.join()
    #expect(found.withLock { $0 } == shown + "\n")
  }

  @Test func aThreadTakesNoSignalsButItsOwnFaults() throws {
    let blocked = Monitor<[Int32]>([])
    let signals = [SIGINT, SIGTERM, SIGCHLD, SIGWINCH, SIGSEGV, SIGTRAP]
    let thread = try Thread.start(name: "surf-signals") {
      var mask = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      blocked.withLock { $0 = signals.filter { sigismember(&mask, $0) == 1 } }
    }
    thread.join()
    #expect(blocked.withLock { $0 } == [SIGINT, SIGTERM, SIGCHLD, SIGWINCH])
  }

  @Test func startingAThreadLeavesTheStartersSignalsAlone() throws {
    let isBlocked = Monitor(true)
    let starter = try Thread.start(name: "surf-starter") {
      var mask = sigset_t()
      sigaddset(&mask, SIGWINCH)
      pthread_sigmask(SIG_UNBLOCK, &mask, nil)
      let inner = try? Thread.start(name: "surf-inner") {}
      inner?.join()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      isBlocked.withLock { $0 = sigismember(&mask, SIGWINCH) == 1 }
    }
    starter.join()
    #expect(isBlocked.withLock { !$0 })
  }
}
