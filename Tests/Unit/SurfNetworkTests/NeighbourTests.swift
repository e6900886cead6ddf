import SurfObserver
import SurfWire
import Testing

/// Viewers that have the past of each other, over real sockets. How much they have so, and how much
/// of the app, depends on who is how fast: the simulations, and `Tests/Network/stream.sh`, look at
/// that.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct NeighbourTests {
  private let port = Ports.take()
  private static let count: SequenceNumber = 500

  @Test func aLateViewerHasTheBacklogFromOneThatHoldsIt() throws {
    let app = TestApp("neighbour", port: port)
    defer { app.end() }
    let (holder, held) = try follow(holding: 64 << 20)
    defer { holder.stop() }
    send(app)
    _ = try #require(held.waitForRecords(Int(Self.count)))
    let (viewer, log) = try follow()
    defer { viewer.stop() }
    try expectAll(log)
    #expect(holder.counters.packetsToViewers >= viewer.counters.packetsFromViewers)
    #expect(viewer.counters.failedChecks == 0)
    // Late packets of a holder that was too slow do not count as an impostor's.
    #expect(viewer.counters.drops["impostor"] == nil)
    let vouched = app.broadcaster.counters.proofsSent
    #expect(vouched > 0 || viewer.counters.packetsFromViewers == 0)
    #expect(vouched > 0 || app.broadcaster.counters.historySent > 400)
  }

  @Test func whatOneHadFromAnotherItHoldsForTheNext() throws {
    let app = TestApp("neighbour", port: port)
    defer { app.end() }
    let (first, held) = try follow(holding: 64 << 20)
    send(app)
    _ = try #require(held.waitForRecords(Int(Self.count)))
    let (second, log) = try follow(holding: 64 << 20)
    defer { second.stop() }
    try expectAll(log)
    first.stop()
    let (third, thirdLog) = try follow()
    defer { third.stop() }
    try expectAll(thirdLog)
    #expect(second.counters.packetsToViewers >= third.counters.packetsFromViewers)
    #expect(third.counters.drops["impostor"] == nil)
  }

  @Test func whereNobodyHoldsAnythingTheAppSendsIt() throws {
    let app = TestApp("neighbour", port: port)
    defer { app.end() }
    let (other, seen) = try follow()
    defer { other.stop() }
    send(app)
    _ = try #require(seen.waitForRecords(Int(Self.count)))
    let (viewer, log) = try follow()
    defer { viewer.stop() }
    try expectAll(log)
    #expect(viewer.counters.packetsFromViewers == 0)
    #expect(app.broadcaster.counters.proofsSent == 0)
    #expect(app.broadcaster.counters.historySent > 400)
  }

  /// The packets would all find room, if the other sessions had no share of it.
  @Test func whatIsHeldIsSharedByTheSessions() throws {
    let app = TestApp("neighbour", port: port)
    let others = (1...15).map { TestApp("other \($0)", port: port) }
    defer { for each in others + [app] { each.end() } }
    let (holder, held) = try follow(holding: 2 << 20)
    defer { holder.stop() }
    for number in others.indices {
      let session = try #require(held.waitForSession(of: "other \(number + 1)"))
      holder.follow(session, since: .newestState)
    }
    #expect(held.wait { events in events.count(where: \.isCaughtUp) == 16 ? true : nil } == true)
    send(app)
    _ = try #require(held.waitForRecords(Int(Self.count)))
    let (viewer, log) = try follow()
    defer { viewer.stop() }
    try expectAll(log)
    #expect(viewer.counters.packetsFromViewers < 300)
  }

  private func follow(holding heldSizeMax: Int = 0) throws -> (Observer, EventLog) {
    let (viewer, log) = try observe(port: port, holding: heldSizeMax)
    viewer.follow(try #require(log.waitForSession(of: "neighbour")), since: .since(1))
    #expect(log.wait { events in events.contains { $0.isCaughtUp } ? true : nil } == true)
    return (viewer, log)
  }

  private func send(_ app: TestApp) {
    app.send(1...Self.count, size: 900)
    #expect(app.broadcaster.flush(timeout: .seconds(120)))
  }

  private func expectAll(_ log: EventLog) throws {
    let records = try #require(log.waitForRecords(Int(Self.count)))
    let isRight =
      records.sorted { $0.sequence < $1.sequence }
      == (1...Self.count).map { .sample($0, size: 900) }
    #expect(isRight)
  }
}

extension ObserverEvent {
  fileprivate var isCaughtUp: Bool { if case .caughtUp = self { true } else { false } }
}
