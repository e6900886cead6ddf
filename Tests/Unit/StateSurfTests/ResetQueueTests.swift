import Foundation
import StateSurf
import SurfWire
import Synchronization
import Testing

@Suite struct ResetQueueTests {
  /// A closure that is wrapped anew whenever somebody looks at it has one more caller each time,
  /// until no stack is left.
  @Test func theHundredthResetIsAsFarFromTheHandlerAsTheFirst() {
    let bench = Bench()
    let callers = Mutex<[Int]>([])
    let transceiver = bench.transceiver()
    transceiver.onReset { _ in
      let count = Thread.callStackReturnAddresses.count
      callers.withLock { $0.append(count) }
    }
    transceiver.resume()
    for number in 1...100 {
      bench.reset(to: nil)
      #expect(bench.sink.waitForAnswers(number))
    }
    let counts = callers.withLock { $0 }
    #expect(counts.count == 100)
    // A queue starts its threads in more ways than one, which differ by some callers.
    #expect((counts.last ?? 0) < (counts.first ?? 0) + 20, "\(counts)")
  }
}
