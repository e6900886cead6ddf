import Foundation
import StateSurf
import SurfStore
import SurfWire
import Synchronization
import Testing

/// Whether the thread sanitizer is in, which does not survive a fork.
private let isSanitized = dlsym(nil, "__tsan_init") != nil

@Suite("In a forked child", .disabled(if: isSanitized, "the sanitizer does not survive a fork"))
struct ForkTests {
  private let bench = Bench()

  /// Forks, and calls `body` in the child, which may take ten seconds; its exit code, or a signal's
  /// number and 128.
  private static func inChild(_ body: () -> Void) throws -> Int32 {
    // Swift has no name for it.
    let fork = unsafeBitCast(
      try #require(dlsym(nil, "fork")), to: (@convention(c) () -> pid_t).self)
    let child = fork()
    if child == 0 {
      alarm(10)
      body()
      _exit(7)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 : 128 + signal
  }

  @Test func allIsInertWhateverTheParentWasDoing() throws {
    let history = HistoryTransceiver<Counter>(transceiver: bench.transceiver())
    let transceiver = history.transceiver
    history.resume()
    let body = {
      transceiver.record(action: "child", state: 1)
      transceiver.log("child")
      _ = transceiver.counters
      transceiver.resume()
      transceiver.flush()
      transceiver.suspend()
    }
    // Once here, so that nothing is left to be set up in a child.
    body()
    transceiver.resume()
    let isDone = Atomic(false)
    // They hold the lock most of the time.
    for _ in 1...3 {
      Thread.detachNewThread {
        while !isDone.load(ordering: .relaxed) { transceiver.record(action: "parent", state: 1) }
      }
    }
    for _ in 1...20 { #expect(try Self.inChild(body) == 7) }
    isDone.store(true, ordering: .relaxed)
    transceiver.suspend()
    #expect(bench.sink.records.count { $0.name == "child" } == 2)
  }

  @Test func aStoreWorksThereUnseen() throws {
    let history = HistoryTransceiver<Counter>(transceiver: bench.transceiver())
    history.resume()
    history.store.dispatch(.increment)
    let status = try Self.inChild {
      history.store.dispatch(.increment)
      if history.store.state.count != 2 || history.transceiver.isOn { _exit(1) }
    }
    #expect(status == 7)
    history.suspend()
    #expect(bench.sink.records.count == 1)
  }
}
