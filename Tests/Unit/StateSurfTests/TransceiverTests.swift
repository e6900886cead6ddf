import Foundation
import StateSurf
import SurfStore
import SurfWire
import Synchronization
import Testing

@Suite("A transceiver", .serialized)
struct TransceiverTests {
  private let bench = Bench()

  @Test func offAllocatesNothingAndEvaluatesNothing() async {
    let transceiver = bench.transceiver(environment: ["STATESURF": "off"])
    var evaluationCount = 0
    func evaluated() -> String {
      evaluationCount += 1
      return ""
    }
    transceiver.onReset { _ in }
    transceiver.resume()
    #expect(transceiver.record(action: evaluated(), state: evaluated()) == nil)
    #expect(transceiver.record(action: evaluated(), state: [], contentType: "") == nil)
    #expect(transceiver.inspect(evaluated(), evaluated()) == nil)
    #expect(transceiver.log(evaluated()) == nil)
    #expect(transceiver.log(evaluated(), attributes: evaluated()) == nil)
    #expect(transceiver.mark(evaluated()) == nil)
    #expect(transceiver.flush())
    transceiver.suspend()
    await transceiver.stop()
    #expect(!transceiver.isOn)
    #expect(evaluationCount == 0)
    #expect(bench.configurations.isEmpty)
  }

  @Test func `it says whether it is resumed, and whether that has an effect`() {
    for (environment, isOn) in [([:], true), (["STATESURF": "off"], false)] {
      let transceiver = bench.transceiver(environment: environment)
      #expect(!transceiver.isOn && !transceiver.isResumed)
      transceiver.resume()
      #expect(transceiver.isOn == isOn && transceiver.isResumed)
      transceiver.suspend()
      #expect(!transceiver.isOn && !transceiver.isResumed)
      transceiver.resume()
      #expect(transceiver.isOn == isOn && transceiver.isResumed)
      transceiver.suspend()
    }
  }

  /// The sink is the last that a recorder gives back.
  private func freed(_ use: (Transceiver) -> Void) -> Bool {
    weak var sink: RecordingSink?
    do {
      let made = RecordingSink()
      sink = made
      let transceiver = Transceiver(
        name: "Test", configuration: .init(), environment: [:]
      ) { _, onReset in
        // As the broadcaster keeps it.
        made.onReset = onReset
        return made
      }
      use(transceiver)
      transceiver.suspend()
    }
    let end = Date(timeIntervalSinceNow: 60)
    while sink != nil, Date() < end { usleep(1_000) }
    return sink == nil
  }

  @Test func `who releases a transceiver has all of its memory back`() {
    #expect(
      freed { transceiver in
        transceiver.onReset { _ in }
        transceiver.resume()
        transceiver.record(action: "a", state: 1)
      })
    #expect(
      freed { transceiver in
        transceiver.onReset(initial: 1) { (_: Int) in }
        transceiver.resume()
      })
    #expect(
      freed { transceiver in
        transceiver.onLock { _ in }
        transceiver.resume()
      })
    #expect(
      freed { transceiver in
        let history = HistoryTransceiver<Counter>(transceiver: transceiver)
        history.resume()
        history.store.dispatch(.increment)
      })
    #expect(
      freed { transceiver in
        let history = StoreObserver<Counter>(transceiver: transceiver)
        history.attach { _ in
        } revise: { _ in
        }
        history.resume()
        history.record(.increment, state: Counter.State())
      })
  }

  @Test func nothingHappensBeforeResume() {
    let transceiver = bench.transceiver()
    #expect(transceiver.record(action: "early", state: 1) == nil)
    #expect(bench.configurations.isEmpty)
    transceiver.resume()
    transceiver.record(action: "first", state: 1)
    transceiver.suspend()
    #expect(bench.sink.records.map(\.name) == ["first"])
  }

  @Test func suspendedNothingIsRecorded() {
    let transceiver = bench.transceiver()
    transceiver.resume()
    transceiver.record(action: "before", state: 1)
    transceiver.suspend()
    #expect(transceiver.record(action: "meanwhile", state: 1) == nil)
    transceiver.suspend()
    transceiver.resume()
    transceiver.resume()
    transceiver.record(action: "after", state: 1)
    transceiver.suspend()
    let phases = bench.sink.events.map { event in
      switch event {
      case .resumed: "resumed"
      case .suspended: "suspended"
      case .record(let record): "\(record.sequence) \(record.name)"
      case .answer, .announced, .gaveUp, .leftRecords: "answer"
      }
    }
    #expect(
      phases == ["resumed", "1 before", "suspended", "resumed", "2 after", "suspended"])
    #expect(bench.configurations.count == 1)
  }

  @Test func manyThreadsMakeOneDenseSequence() {
    let transceiver = bench.transceiver(bench.waiting())
    transceiver.resume()
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for number in 1...1_000 {
        transceiver.record(action: "\(thread)", state: number)
      }
    }
    #expect(transceiver.flush(timeout: .seconds(60)))
    let records = bench.sink.records
    #expect(records.map(\.sequence) == Array(1...8_000))
    for thread in 0..<8 {
      let numbers = records.filter { $0.name == "\(thread)" }.map(\.state.text)
      #expect(numbers == (1...1_000).map { "\($0)" })
    }
    #expect(zip(records, records.dropFirst()).allSatisfy { $0.uptime <= $1.uptime })
  }

  @Test func aSlowNetworkCostsStatesAndNotTheApp() {
    var configuration = Transceiver.Configuration()
    configuration.sendsDeltas = false
    let transceiver = bench.transceiver(configuration)
    transceiver.resume()
    bench.sink.block()
    transceiver.record(action: "in the way", state: 0)
    #expect(bench.sink.waitForSend())
    // 128 MiB have room.
    let state = [UInt8](repeating: 0, count: 1_048_576)
    for number in 1...200 {
      transceiver.record(action: "\(number)", state: state, contentType: "text/plain")
    }
    bench.sink.unblock()
    #expect(transceiver.flush(timeout: .seconds(60)))
    let records = bench.sink.records
    #expect(records.map(\.sequence) == Array(1...201))
    #expect(records.count { $0.state == .givenUp } == 72)
    #expect(records.last?.state.content?.bytes.count == state.count)
    #expect(transceiver.counters.stateGivenUpCount == 72)
    #expect(bench.sink.gaveUp == [Heartbeat.GivenUp(states: 72)])
  }

  @Test func aBurstOfSmallStatesCostsNone() {
    let transceiver = bench.transceiver()
    transceiver.resume()
    bench.sink.block()
    for number in 1...8_000 { transceiver.record(action: "", state: number) }
    bench.sink.unblock()
    #expect(transceiver.flush(timeout: .seconds(60)))
    #expect(transceiver.counters.stateGivenUpCount == 0)
    #expect(bench.sink.records.count { $0.state.content != nil } == 8_000)
  }

  @Test func recordsThatFindNoRoomAreCountedAndMarked() {
    let transceiver = bench.transceiver()
    transceiver.resume()
    bench.sink.block()
    transceiver.mark("in the way")
    #expect(bench.sink.waitForSend())
    for _ in 1...65_536 { transceiver.mark("") }
    #expect(transceiver.mark("one too many") == nil)
    bench.sink.unblock()
    #expect(transceiver.flush(timeout: .seconds(60)))
    #expect(bench.sink.records.last?.name == "1 mark given up")
    #expect(bench.sink.records.last?.sequence == 65_538)
    #expect(transceiver.counters.recordGivenUpCount == 1)
    #expect(bench.sink.gaveUp == [Heartbeat.GivenUp(records: 1)])
  }

  @Test func whoPrefersToBeCompleteWaits() {
    let transceiver = bench.transceiver(bench.waiting())
    transceiver.resume()
    bench.sink.block()
    let hasReturned = Atomic(false)
    let thread = Thread {
      for number in 0..<6_000 { transceiver.record(action: "", state: number) }
      hasReturned.store(true, ordering: .releasing)
    }
    thread.start()
    #expect(bench.sink.waitForSend())
    // It cannot return while the sink blocks: 6,000 states are more than may wait.
    let isWaiting = !hasReturned.load(ordering: .acquiring)
    #expect(isWaiting)
    bench.sink.unblock()
    while !hasReturned.load(ordering: .acquiring) { sched_yield() }
    #expect(transceiver.flush(timeout: .seconds(60)))
    #expect(bench.sink.records.map(\.state.text) == (0..<6_000).map { "\($0)" })
  }

  @Test func `stop waits for the farewell, and blocks no thread`() async {
    let transceiver = bench.transceiver()
    transceiver.start()
    bench.sink.block()
    transceiver.record(action: "before", state: 1)
    #expect(bench.sink.waitForSend())
    let sink = bench.sink
    // More than the pool has threads.
    let stopping = (0...ProcessInfo.processInfo.activeProcessorCount).map { _ in
      Task.detached {
        await transceiver.stop()
        return sink.events.contains(.suspended)
      }
    }
    while transceiver.isOn { await Task.yield() }
    #expect(transceiver.record(action: "meanwhile", state: 2) == nil)
    await Task.detached { #expect(sink.records.isEmpty) }.value
    sink.unblock()
    for task in stopping { #expect(await task.value) }
    #expect(sink.records.map(\.name) == ["before"])
    // Nothing is left to wait for, and it can go on. A stop of then does not end what began later.
    await transceiver.stop()
    for _ in 0..<20 {
      transceiver.start()
      async let stopping: Void = transceiver.stop()
      while transceiver.isOn { await Task.yield() }
      transceiver.start()
      await stopping
      #expect(transceiver.isOn)
      await transceiver.stop()
    }
    transceiver.start()
    transceiver.record(action: "after", state: 3)
    await transceiver.stop()
    #expect(bench.sink.records.map(\.name) == ["before", "after"])
  }

  @Test func suspendReleasesThoseWhoWait() {
    var configuration = bench.waiting()
    // All of it is waited for in vain.
    configuration.farewell = .milliseconds(20)
    let transceiver = bench.transceiver(configuration)
    transceiver.resume()
    bench.sink.block()
    let hasReturned = Atomic(false)
    let thread = Thread {
      while transceiver.record(action: "", state: 1) != nil {}
      hasReturned.store(true, ordering: .releasing)
    }
    thread.start()
    #expect(bench.sink.waitForSend())
    transceiver.suspend()
    while !hasReturned.load(ordering: .acquiring) { sched_yield() }
    bench.sink.unblock()
  }

  /// The network takes nothing, so only the counts can say what is missing.
  @Test func `an app that ends while its network is stuck counts what it could not send`() {
    var configuration = Transceiver.Configuration()
    configuration.farewell = .milliseconds(20)
    let transceiver = bench.transceiver(configuration)
    transceiver.resume()
    bench.sink.block()
    transceiver.record(action: "first", state: 1)
    #expect(bench.sink.waitForSend())
    for number in 1...1_000 { transceiver.record(action: "\(number)", state: number) }
    transceiver.suspend()
    #expect(bench.sink.waitForSuspension())
    let sent = bench.sink.records.filter { $0.kind == .action }.count
    // A batch may have been taken before the end, and nothing later was.
    #expect(sent >= 1 && sent <= 257)
    #expect(bench.sink.gaveUp.last?.records == WireCount(1_001 - sent))
    // Who resumes may wait again.
    transceiver.resume()
    transceiver.record(action: "again", state: 1)
    #expect(bench.sink.waitForSend())
    bench.sink.unblock()
  }

  @Test func aStateThatLogsWhileItIsEncodedDoesNotWaitForItself() {
    let transceiver = bench.transceiver(bench.waiting())
    transceiver.resume()
    struct Chatty: Encodable {
      let transceiver: Transceiver
      func encode(to encoder: any Encoder) throws {
        for _ in 1...1_100 { transceiver.record(action: "chat", state: 1) }
        try 1.encode(to: encoder)
      }
    }
    transceiver.record(action: "chatty", state: Chatty(transceiver: transceiver))
    #expect(transceiver.flush(timeout: .seconds(60)))
    #expect(bench.sink.records.count == 1_101)
  }

  @Test func noThreadIsLeftBehind() throws {
    for round in 1...20 {
      let transceiver = bench.transceiver()
      transceiver.resume()
      transceiver.record(action: "\(round)", state: round)
      if round == 1 {
        transceiver.flush(timeout: .seconds(10))
        #expect(waitForThreads { $0 > 0 })
      }
      if round.isMultiple(of: 2) { transceiver.suspend() }
    }
    #expect(bench.sink.waitForRecords(20))
    #expect(waitForThreads { $0 == 0 })
  }

  /// Waits until as many encoding threads as `isRight` wants are seen. More than a glance, for the
  /// kernel's list may lack a thread while others end.
  private func waitForThreads(until isRight: (Int) -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(300)
    while ContinuousClock.now < deadline {
      if isRight(encodingThreadCount()) { return true }
      usleep(5_000)
    }
    return false
  }

  private func encodingThreadCount() -> Int {
    let tasks = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
    return (tasks ?? []).count { task in
      FileManager.default.contents(atPath: "/proc/self/task/\(task)/comm")
        == Data("StateSurf\n".utf8)
    }
  }
}
