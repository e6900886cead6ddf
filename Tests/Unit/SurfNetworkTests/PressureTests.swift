import Foundation
import SurfNetwork
import SurfWire
import Synchronization
import Testing

/// What bounds each place between the app's thread and the socket: the mailbox by its own bounds
/// (StateSurfTests), what waits for the sender by `send`, which blocks the encoding thread.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct PressureTests {
  @Test func whatAnAppGaveUpIsHeardOfByWhoeverListens() throws {
    let port = Ports.take()
    let app = TestApp("busy", port: port)
    defer { app.end() }
    let (viewer, log) = try observe(port: port)
    defer { viewer.stop() }
    _ = try #require(log.waitForSession(of: "busy"))
    let givenUp = Heartbeat.GivenUp(states: 7, records: 3)
    app.broadcaster.perform(.givenUp(givenUp))
    app.send(1...1)
    let heard = log.wait { events in
      events.contains {
        if case .heartbeat(_, let heartbeat) = $0 { heartbeat.givenUp == givenUp } else { false }
      } ? true : nil
    }
    #expect(heard == true)
  }

  @Test func aSenderWithoutANetworkHoldsUpWhoSendsAfterEightMegabytes() {
    let app = Backlog(interface: "none-such")
    app.start()
    while app.sentCount < 8 { sched_yield() }
    // One that did not wait would be through long before.
    usleep(100_000)
    #expect(app.sentCount == 8)
    app.broadcaster.suspend()
    while app.sentCount < Backlog.count { sched_yield() }
  }

  @Test func `a limit releases who waits already, and holds for the rest`() {
    let app = Backlog(interface: "none-such")
    app.start()
    while app.sentCount < 8 { sched_yield() }
    app.broadcaster.limitWaits(until: .zero)
    let end = Date(timeIntervalSinceNow: 60)
    while app.sentCount < Backlog.count, Date() < end { sched_yield() }
    #expect(app.sentCount == Backlog.count)
    app.broadcaster.suspend()
  }

  @Test func aNetworkThatTakesItAllHoldsUpNobody() {
    let app = Backlog(interface: "lo")
    app.start()
    while app.sentCount < Backlog.count { sched_yield() }
    #expect(app.broadcaster.flush(timeout: .seconds(60)))
    app.broadcaster.suspend()
  }
}

/// An app that sends twenty records of a megabyte on a thread of its own.
private final class Backlog: Sendable {
  static let count = 20
  let broadcaster: Broadcaster
  private let sent = Atomic(0)

  init(interface: String) {
    var configuration = Broadcaster.Configuration(
      instance: InstanceID(high: 1, low: 1), app: "backlog")
    configuration.interface = interface
    configuration.port = Ports.take()
    configuration.registersDNSSD = false
    broadcaster = Broadcaster(configuration: configuration) { _ in }
    broadcaster.resume()
  }

  var sentCount: Int { sent.load(ordering: .acquiring) }

  func start() {
    Thread.detachNewThread { [self] in
      for sequence in 1...UInt64(Self.count) {
        let state = Content(type: "text/plain", bytes: [UInt8](repeating: 0, count: 1_000_000))
        let record = Record(
          sequence: SequenceNumber(sequence), kind: .action, name: "", state: .keyframe(state))
        broadcaster.send([record])
        sent.add(1, ordering: .releasing)
      }
    }
  }
}
