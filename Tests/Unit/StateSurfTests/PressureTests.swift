import Foundation
import StateSurf
import SurfObserver
import SurfThreads
import SurfWire
import TestSupport
import Testing

/// From a call of the app's to what a viewer hears, over a real network.
@Suite(.timeLimit(.minutes(15)))
struct PressureTests {
  @Test func whoFollowsABurstThatIsTooMuchSeesItsEndAndHearsWhatIsMissing() throws {
    var configuration = Transceiver.Configuration()
    configuration.port = UInt16(41_000 + 2 * (getpid() % 5_000))
    configuration.registersDNSSD = false
    let transceiver = Transceiver(name: "burst", configuration: configuration)
    transceiver.resume()
    defer { transceiver.suspend() }
    // Not a Mutex: the thread sanitizer does not see into one that is contended.
    let heard = Monitor(Heard())
    let viewer = try observe(configuration.port) { event in heard.withLock { $0.note(event) } }
    defer { viewer.stop() }
    #expect(wait { heard.withLock { $0.session != nil } })
    if let session = heard.withLock({ $0.session }) { viewer.follow(session, since: .newestState) }
    // 400 MB in less time than a network takes for the third that finds room; more where other
    // programs slow this one down.
    var last = 0
    while last < 4_000 || (last < 40_000 && transceiver.counters.stateGivenUpCount == 0) {
      last += 1
      let number = last
      let state = [UInt8](repeating: UInt8(number % 251), count: 100_000)
      transceiver.record(action: "\(number)", state: state, contentType: "text/plain")
    }
    transceiver.flush(timeout: .seconds(300))
    let counters = transceiver.counters
    #expect(counters.stateGivenUpCount > 0)
    let givenUp = Heartbeat.GivenUp(states: WireCount(counters.stateGivenUpCount))
    #expect(wait { heard.withLock { $0.givenUp == givenUp } })
    #expect(wait { heard.withLock { $0.newest == SequenceNumber(UInt64(last)) } })
    let isExact =
      heard.withLock { $0.newestState } == [UInt8](repeating: UInt8(last % 251), count: 100_000)
    #expect(isExact)
  }

  private struct Heard {
    var session: SessionID?
    var givenUp = Heartbeat.GivenUp()
    var newest: SequenceNumber = 0
    var newestState: [UInt8] = []
    private var decoder = RecordDecoder()

    mutating func note(_ event: ObserverEvent) {
      switch event {
      case .appeared(let session, let heartbeat, _), .heartbeat(let session, let heartbeat):
        self.session = session
        givenUp = heartbeat.givenUp
      case .record(_, let arrived):
        guard let record = decoder.make(arrived), record.sequence > newest else { return }
        newest = record.sequence
        newestState = record.state.content?.bytes ?? []
      default: break
      }
    }
  }

  private func observe(
    _ port: UInt16, _ handler: @escaping @Sendable (ObserverEvent) -> Void
  ) throws -> Observer {
    var configuration = Observer.Configuration()
    configuration.port = port
    configuration.browsesDNSSD = false
    return try Observer(configuration: configuration, handler: handler)
  }

  /// Five minutes are the end of a test that fails, not a time that one measures: under the thread
  /// sanitizer, beside two busy loops, 130 MB take more than three.
  private func wait(until isSo: () -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: 300)
    while !isSo() {
      guard Date() < end else { return false }
      usleep(10_000)
    }
    return true
  }
}
