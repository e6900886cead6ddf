import Foundation
import StateSurf
import SurfObserver
import SurfThreads
import SurfWire
import TestSupport
import Testing

/// Equal actions over a real network, before viewers that come and go.
@Suite(.timeLimit(.minutes(15))) struct CoalescingNetworkTests {
  private struct Heard {
    var session: SessionID?
    var counts: [SequenceNumber: WireCount] = [:]
    var newest: String?
    private var decoder = RecordDecoder()

    mutating func hear(_ event: ObserverEvent) {
      switch event {
      case .appeared(let session, _, _): self.session = session
      case .record(_, let arrived):
        guard let record = decoder.make(arrived) else { return }
        if record.sequence >= counts.keys.max() ?? 0 { newest = record.state.text }
        counts[record.sequence] = record.count
      default: break
      }
    }

    var sum: Int { counts.values.reduce(0) { $0 + $1.clamped(to: 1 << 32) } }
  }

  /// What a viewer has heard once it knows of as many actions.
  private func heard(_ count: Int, on port: UInt16) throws -> Heard {
    let memory = Monitor(Heard())
    var configuration = Observer.Configuration()
    configuration.port = port
    configuration.browsesDNSSD = false
    let viewer = try Observer(configuration: configuration) { event in
      memory.withLock { $0.hear(event) }
    }
    defer { viewer.stop() }
    let end = monotonicTime(after: .seconds(300))
    memory.wait(until: end) { $0.session != nil }
    let session = try #require(memory.withLock { $0.session })
    viewer.follow(session, since: .since(1))
    memory.wait(until: end) { $0.sum >= count }
    return memory.withLock { $0 }
  }

  @Test func `who comes late, and again, counts all of them, and sees the newest state`() throws {
    var configuration = Transceiver.Configuration()
    configuration.port = UInt16(31_000 + 2 * (getpid() % 5_000))
    configuration.registersDNSSD = false
    configuration.whenFull = .wait
    configuration.thinning.coalesced = ["tick"]
    configuration.thinning.interval = .milliseconds(5)
    let app = Transceiver(name: "coalescing", configuration: configuration)
    app.resume()
    defer { app.suspend() }
    for round in [1, 2] {
      for number in 1...2_000 { app.record(action: "tick", state: round * 10_000 + number) }
      let heard = try self.heard(round * 2_000, on: configuration.port)
      #expect(heard.sum == round * 2_000)
      #expect(heard.newest == "\(round * 10_000 + 2_000)")
      #expect(heard.counts.count < round * 2_000)
    }
  }
}
