import Foundation
import StateSurf
import SurfNetwork
import Testing

/// An actor that a program blocks. What becomes of the main one is in `blocked.sh`: here, others
/// need it.
@Suite struct BlockedActorTests {
  /// Not the threads of all tasks, or the other tests would be blocked as well.
  private final class OwnThread: SerialExecutor {
    private let queue = DispatchQueue(label: "room")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }

  private actor Room {
    private let thread = OwnThread()
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
    private(set) var degrees = 20
    func set(_ degrees: Int) { self.degrees = degrees }
    /// As `readLine()` would.
    func block(until gate: DispatchSemaphore, _ begun: DispatchSemaphore) {
      begun.signal()
      gate.wait()
    }
  }

  private let bench = Bench()
  private let room = Room()

  private func resumed() -> Transceiver {
    let transceiver = bench.transceiver()
    transceiver.onReset(on: room) { room, reset in
      room.set(try reset.state(as: Int.self) ?? 20)
    }
    transceiver.resume()
    return transceiver
  }

  private func apart(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        body()
        continuation.resume()
      }
    }
  }

  @Test func `A viewer hears which actor is blocked, and the handler does not run later`() async {
    let (gate, begun) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let transceiver = resumed()
    let blocking = Task { await room.block(until: gate, begun) }
    await apart { begun.wait() }
    for _ in 1...3 { bench.reset(to: "30") }
    #expect(await bench.answered(3))
    let reason =
      "the actor Room has not run anything for 2 s: does the program block it, as readLine() does?"
    // None is told to try again: they had not waited for five seconds.
    #expect(bench.sink.answers == Array(repeating: .rejected(reason: reason), count: 3))
    gate.signal()
    await blocking.value
    #expect(await room.degrees == 20)
    bench.reset(to: "40")
    #expect(await bench.answered(4))
    #expect(bench.sink.answers.last == .applied)
    #expect(await room.degrees == 40)
    transceiver.suspend()
  }

  @Test func `An actor that is busy for a moment is not called blocked`() async {
    let (gate, begun) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let transceiver = resumed()
    let blocking = Task { await room.block(until: gate, begun) }
    await apart { begun.wait() }
    bench.reset(to: "30")
    await apart {
      Thread.sleep(forTimeInterval: 0.5)
      gate.signal()
    }
    await blocking.value
    #expect(await bench.answered(1))
    #expect(bench.sink.answers == [.applied])
    #expect(await room.degrees == 30)
    transceiver.suspend()
  }
}
