import Dispatch
import StateSurf
import SurfLive
import SurfNetwork
import SurfWire

// The path of a reset to the app's handler, after many earlier ones.
extension Benchmark {
  private static let resetCount = 100_000
  private static let sampleCount = 1_000

  static let reset: [Benchmark] = [
    Benchmark(
      name: "reset-handler",
      summary: "a reset's way to the handler, after \(resetCount) others",
      run: measureResets)
  ]

  private static func measureResets() throws -> Measurement {
    let desk = ResetQueue(mailbox: Mailbox(whenFull: .giveUpStates))
    let isDecided = DispatchSemaphore(value: 0)
    desk.setHandler { _, answer in
      answer(.applied)
      isDecided.signal()
    }
    let reset = IncomingReset(
      request: 1, viewer: ViewerID(rawValue: 1), viewerName: "bench", target: .initial, state: nil)
    func sample(after count: Int) -> Measurement {
      measure(warmUps: count, repetitions: sampleCount) {
        desk.receive(reset)
        isDecided.wait()
      }
    }
    // By then the mailbox, which nobody empties, has no room for answers.
    let early = sample(after: 2_000)
    let late = sample(after: resetCount)
    guard late.median < 3 * early.median else {
      throw BenchmarkFailure("\(early.median) ns at first, \(late.median) ns in the end")
    }
    return late
  }
}
