import SurfObserver
import SurfWire
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)))
struct StreamTests {
  @Test func everyRecordArrivesInOrderAndByteForByte() throws {
    let port = Ports.take()
    let app = TestApp("stream", port: port)
    defer { app.end() }
    let (viewer, log) = try observe(port: port)
    defer { viewer.stop() }
    let session = try #require(log.waitForSession(of: "stream"))
    viewer.follow(session, since: .since(1))
    app.send(1...500, size: 5_000)
    let records = try #require(log.waitForRecords(500))
    let isExact = records == (1...500).map { .sample($0, size: 5_000) }
    #expect(isExact)
  }

  @Test func `what an action grew from arrives, also behind a state in many pieces`() throws {
    let port = Ports.take()
    let app = TestApp("grown", port: port)
    defer { app.end() }
    let (viewer, log) = try observe(port: port)
    defer { viewer.stop() }
    let session = try #require(log.waitForSession(of: "grown"))
    viewer.follow(session, since: .since(1))
    let records = (1...40 as ClosedRange<SequenceNumber>).halfOpen.numbers.map { sequence in
      let sample = Record.sample(sequence, size: Int(sequence.rawValue) * 97)
      let origin = Position(wire: sequence.goingBack(by: WireCount(sequence.rawValue % 7 + 1)))
      return Record(
        sequence: sequence, kind: .action, name: sample.name, state: sample.state,
        grownFrom: GrownFrom(from: origin, move: WireCount(sequence.rawValue % 3 * 100)))
    }
    app.broadcaster.send(records)
    let arrived = try #require(log.waitForRecords(40))
    #expect(arrived.map(\.grownFrom) == records.map(\.grownFrom))
  }

  @Test func aLateViewerSeesTheNewestStateFirstAndThenTheBacklog() throws {
    let port = Ports.take()
    let app = TestApp("late", port: port)
    defer { app.end() }
    app.send(1...2_000, size: 700)
    #expect(app.broadcaster.flush(timeout: .seconds(120)))
    let sent = app.broadcaster.counters.dataSent
    let (viewer, log) = try observe(port: port)
    defer { viewer.stop() }
    let session = try #require(log.waitForSession(of: "late"))
    viewer.follow(session, since: .since(1))
    let records = try #require(log.waitForRecords(2_000))
    let isNewestFirst = records.first == .sample(2_000, size: 700)
    #expect(isNewestFirst)
    #expect(records.dropFirst().map(\.sequence) == Array(1...1_999))
    #expect(app.broadcaster.counters.dataSent == sent)
    #expect(app.broadcaster.counters.repairsSent == 0)
    #expect(log.wait { events in events.contains { $0.isCaughtUp } ? true : nil } == true)
  }

  @Test func aSuspendedAppSaysGoodbyeAndComesBackWithItsHistory() throws {
    let port = Ports.take()
    let app = TestApp("pause", port: port)
    defer { app.end() }
    let (viewer, log) = try observe(port: port)
    defer { viewer.stop() }
    let session = try #require(log.waitForSession(of: "pause"))
    viewer.follow(session, since: .newestState)
    app.send(1...3)
    _ = try #require(log.waitForRecords(3))
    app.broadcaster.suspend()
    #expect(log.wait { events in events.contains { $0.isGone } ? true : nil } == true)
    app.broadcaster.resume()
    app.send(4...5)
    let records = try #require(log.waitForRecords(5))
    #expect(records.map(\.sequence) == [1, 2, 3, 4, 5])
  }
}

extension ObserverEvent {
  fileprivate var isCaughtUp: Bool { if case .caughtUp = self { true } else { false } }
  fileprivate var isGone: Bool {
    if case .gone(_, saidGoodbye: true) = self { true } else { false }
  }
}
