import Foundation
import StateSurf
import SurfNetwork
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
      // A test may run on a thread of Dispatch's, which lets no signal in.
      var none = sigset_t()
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, nil)
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

  /// Zero if a new transceiver is all that one is; else the number of what it is not.
  private static func fault(ofNewOneBeside other: SessionID) -> Int32 {
    let bench = Bench()
    let transceiver = bench.transceiver()
    guard transceiver.isOn else { return 1 }
    transceiver.onReset { reset in
      guard reset.state == nil else { throw CancellationError() }
    }
    transceiver.resume()
    transceiver.record(action: "child", state: 1)
    guard bench.sink.waitForRecords(1) else { return 2 }
    bench.reset(to: nil)
    guard bench.sink.waitForAnswers(1), bench.sink.answers == [.applied] else { return 3 }
    transceiver.suspend()
    guard let (session, heartbeat) = BroadcastMachine.announced() else { return 4 }
    guard heartbeat.processID == UInt32(getpid()) else { return 5 }
    return session == other ? 6 : 0
  }

  @Test func whatIsMadeThereIsASessionOfItsOwn() throws {
    let made = bench.transceiver()
    made.resume()
    let (session, heartbeat) = try #require(BroadcastMachine.announced())
    #expect(heartbeat.processID == UInt32(getpid()))
    // Once here, so that nothing is left to be set up in a child.
    #expect(Self.fault(ofNewOneBeside: session) == 0)
    let status = try Self.inChild {
      _exit(made.isOn ? 1 : 100 + Self.fault(ofNewOneBeside: session))
    }
    #expect(status == 100)
    made.suspend()
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

extension BroadcastMachine {
  /// What a new one announces, and as which session.
  fileprivate static func announced() -> (session: SessionID, heartbeat: Heartbeat)? {
    let configuration = Broadcaster.Configuration(
      instance: InstanceID(high: 1, low: 2), app: "app")
    var machine = BroadcastMachine(configuration: configuration, datagramSize: 1_472)
    guard case .datagrams(let datagrams)? = machine.nextTransmission(at: .seconds(1))?.payload,
      let bytes = datagrams.first
    else { return nil }
    do throws(WireError) {
      let datagram = try Datagram(decoding: bytes)
      if case .heartbeat(let heartbeat) = datagram.body { return (datagram.session, heartbeat) }
    } catch {
      Issue.record("\(error)")
    }
    return nil
  }
}
