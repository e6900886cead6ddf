import Foundation
import Glibc
import StateSurf
import SurfNetwork
import SurfStore
import SurfTransport
import SurfWire
import Synchronization
import TestSupport
import Testing

@Suite("In a forked child", .disabled(if: isSanitized, "the sanitizer does not survive a fork"))
struct ForkTests {
  private let bench = Bench()
  /// What a child has to say.
  private let pipe: (read: Int32, write: Int32) = {
    var ends: [Int32] = [0, 0]
    _ = Glibc.pipe(&ends)
    return (ends[0], ends[1])
  }()

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
    for _ in 1...20 { #expect(inChild(seconds: 10, body) == 7) }
    isDone.store(true, ordering: .relaxed)
    transceiver.suspend()
    #expect(bench.sink.records.count { $0.name == "child" } == 2)
  }

  /// Zero if a new transceiver is all that one is; else the number of what it is not.
  private static func fault(ofNewOneBeside other: SessionID) -> Int32 {
    let bench = Bench()
    let transceiver = bench.transceiver()
    transceiver.onReset { reset in
      guard reset.state == nil else { throw CancellationError() }
    }
    transceiver.resume()
    guard transceiver.isOn else { return 1 }
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
    let status = inChild(seconds: 10) {
      _exit(made.isOn ? 1 : 100 + Self.fault(ofNewOneBeside: session))
    }
    #expect(status == 100)
    made.suspend()
  }

  /// A daemon makes its transceivers first, and forks then.
  @Test func `what was not resumed before works there, as another instance`() throws {
    let (made, unused) = (bench.transceiver(), bench.transceiver())
    let history = HistoryTransceiver<Counter>(transceiver: bench.transceiver())
    let before = bench.configurations.count
    let body = {
      made.resume()
      made.record(action: "child", state: 1)
      history.resume()
      history.store.dispatch(.increment)
      history.store.dispatch(.increment)
      guard bench.sink.waitForRecords(3), made.isOn, history.transceiver.isOn else { _exit(1) }
      made.suspend()
      let instances = bench.configurations.dropFirst(before).map(\.instance)
      guard instances.count == 2, instances[0] != instances[1] else { _exit(2) }
    }
    #expect(inChild(seconds: 10, body) == 7)
    // The parent knows nothing of it.
    #expect(!made.isOn && bench.sink.records.isEmpty)
    made.resume()
    made.suspend()
    unused.resume()
    unused.suspend()
    let instances = Set(bench.configurations.map(\.instance))
    #expect(instances.count == bench.configurations.count)
  }

  @Test func `an instance that is resumed on both sides has two ids`() throws {
    let made = bench.transceiver()
    made.resume()
    let other = bench.transceiver()
    let status = inChild(seconds: 10) {
      other.resume()
      let mine = bench.configurations.last?.instance
      var bytes = mine.map { [$0.high, $0.low] } ?? []
      let isWritten = bytes.withUnsafeMutableBytes { write(pipe.write, $0.baseAddress, $0.count) }
      _exit(isWritten == 16 ? 0 : 1)
    }
    #expect(status == 0)
    other.resume()
    var told = [UInt64](repeating: 0, count: 2)
    let count = told.withUnsafeMutableBytes { read(pipe.read, $0.baseAddress, $0.count) }
    let own = try #require(bench.configurations.last?.instance)
    #expect(count == 16 && told != [own.high, own.low])
    made.suspend()
    other.suspend()
  }

  @Test func `a program that forgot to resume is reminded of it, once for each`() throws {
    let status = inChild(seconds: 10) {
      dup2(pipe.write, STDERR_FILENO)
      do {
        let forgetful = bench.transceiver()
        for _ in 1...3 { forgetful.record(action: "early", state: 1) }
        let history = HistoryTransceiver<Counter>(transceiver: bench.transceiver())
        history.store.dispatch(.increment)
        _ = bench.transceiver()
        let off = bench.transceiver(environment: ["STATESURF": "off"])
        off.log("early")
        let late = bench.transceiver()
        late.log("early")
        late.resume()
        late.suspend()
      }
      close(STDERR_FILENO)
    }
    #expect(status == 7)
    var octets = [UInt8](repeating: 0, count: 4_096)
    let count = octets.withUnsafeMutableBytes { read(pipe.read, $0.baseAddress, $0.count) }
    let line =
      "StateSurf: Test recorded, but resume() was never called, so that no viewer saw it; "
      + "try: transceiver.resume()\n"
    #expect(String(decoding: octets.prefix(max(0, count)), as: UTF8.self) == line + line)
  }

  @Test func aStoreWorksThereUnseen() throws {
    let history = HistoryTransceiver<Counter>(transceiver: bench.transceiver())
    history.resume()
    history.store.dispatch(.increment)
    let status = inChild(seconds: 10) {
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
