import Dispatch
import Foundation
import SurfNetwork
import SurfObserver
import SurfWire
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(10)))
struct ResetTests {
  @Test(arguments: [1, 1_288, 1_289, 100_000, 1_000_000])
  func theStateArrivesExactly(size: Int) throws {
    let port = Ports.take()
    let app = TestApp("reset", port: port)
    defer { app.end() }
    let (viewer, log) = try observe(port: port)
    defer { viewer.stop() }
    let session = try #require(log.waitForSession(of: "reset"))
    let state = Record.sample(7, size: size).state.content
    let answer = viewer.reset(session, to: .elsewhere, state: state)
    #expect(answer == .answered(.applied, .elsewhere))
    // Compared first: a failure must not print a million numbers.
    let isExact = app.resets.map(\.state) == [state]
    #expect(isExact)
    #expect(app.resets.map(\.viewerName) == ["ada@test"])
  }

  /// A state that the app has sent, of a hundred kilobytes, and what is said to be its state.
  @Test(
    arguments: [
      (64 << 20, 1, 1, true), (64 << 20, 1, 2, false), (64 << 20, 2, 9, false),
      (200_000, 1, 1, false),
    ] as [(Int, SequenceNumber, SequenceNumber, Bool)])
  func onlyTheDeltaTravelsIfTheAppHoldsTheRow(
    historySizeMax: Int, row: SequenceNumber, named: SequenceNumber, isShort: Bool
  ) throws {
    let port = Ports.take()
    let app = TestApp("held", port: port, historySizeMax: historySizeMax)
    defer { app.end() }
    let (viewer, log) = try observe(port: port)
    defer { viewer.stop() }
    let session = try #require(log.waitForSession(of: "held"))
    viewer.follow(session, since: .newestState)
    app.send(1...4, size: 100_000)
    #expect(log.waitForRecords(4) != nil)
    let state = try #require(Record.sample(row, size: 100_000).state.content)
    let sentCount = viewer.counters.datagramsSent
    let answer = viewer.reset(session, to: .record(row), state: state, from: .same(named))
    #expect(answer == .answered(.applied, .record(row)))
    let isExact = app.resets.map(\.state) == [state]
    #expect(isExact)
    // The whole takes seventy.
    #expect((viewer.counters.datagramsSent - sentCount < 35) == isShort)
  }

  @Test(arguments: [nil, Content(type: "application/json", bytes: [])])
  func nilAndEmptyMeanTheInitialState(state: Content?) throws {
    let port = Ports.take()
    let app = TestApp("initial", port: port)
    defer { app.end() }
    let (viewer, log) = try observe(port: port)
    defer { viewer.stop() }
    let session = try #require(log.waitForSession(of: "initial"))
    #expect(
      viewer.reset(session, to: .initial, state: state) == .answered(.applied, .initial))
    #expect(app.resets.map(\.state) == [nil])
  }

  @Test func theOtherViewerLearnsWhoDidItAndWhereTo() throws {
    let port = Ports.take()
    let app = TestApp("told", port: port)
    let other = TestApp("other", port: port)
    defer {
      app.end()
      other.end()
    }
    let (ada, adaLog) = try observe(port: port, as: "ada@test")
    let (bob, bobLog) = try observe(port: port, as: "bob@test")
    defer {
      ada.stop()
      bob.stop()
    }
    let session = try #require(adaLog.waitForSession(of: "told"))
    _ = try #require(bobLog.waitForSession(of: "told"))
    bob.follow(session, since: .newestState)
    app.send(1...3)
    _ = try #require(bobLog.waitForRecords(3))
    let state = Record.sample(2, size: 100).state.content
    #expect(
      ada.reset(session, to: .record(2), state: state) == .answered(.applied, .record(2)))
    let note = bobLog.wait { events in
      events.compactMap { event -> Restored? in
        if case .restored(session, let restored) = event { restored } else { nil }
      }.first
    }
    #expect(note?.viewerName == "ada@test")
    #expect(note?.position == .record(2))
    #expect(note?.newestRecord == 3)
    #expect(note?.outcome == .applied)
    #expect(other.resets.isEmpty)
    #expect(bobLog.records.count == 3)
  }

  @Test func aRefusalCarriesItsReasonAndMovesNothing() throws {
    let port = Ports.take()
    let app = TestApp("refuse", port: port) { _ in .rejected(reason: "not a counter") }
    defer { app.end() }
    let (viewer, log) = try observe(port: port)
    defer { viewer.stop() }
    let session = try #require(log.waitForSession(of: "refuse"))
    let answer = viewer.reset(
      session, to: .elsewhere, state: Content(type: "text/plain", bytes: [1]))
    #expect(answer == .answered(.rejected(reason: "not a counter"), .initial))
  }

  @Test func anAppThatTakesNoResetsSaysSo() throws {
    let port = Ports.take()
    let app = TestApp("closed", port: port, acceptsResets: false)
    defer { app.end() }
    let (viewer, log) = try observe(port: port)
    defer { viewer.stop() }
    let session = try #require(log.waitForSession(of: "closed"))
    #expect(viewer.reset(session, to: .initial, state: nil) == .answered(.forbidden, .initial))
    #expect(app.resets.isEmpty)
  }

  @Test func anAppThatDoesNotDecideIsNotWaitedForForEver() throws {
    let port = Ports.take()
    let app = TestApp("mute", port: port) { _ in nil }
    defer { app.end() }
    let (viewer, log) = try observe(port: port)
    defer { viewer.stop() }
    let session = try #require(log.waitForSession(of: "mute"))
    let answer = viewer.reset(session, to: .initial, state: nil, timeout: .seconds(2))
    #expect(answer == .timedOut)
    #expect(app.resets.count == 1)
    #expect(viewer.counters.upload == nil)
  }

  @Test func howFarAnUploadIsCanBeSeen() throws {
    let port = Ports.take()
    let app = TestApp("slow", port: port) { _ in nil }
    defer { app.end() }
    let (viewer, log) = try observe(port: port)
    defer { viewer.stop() }
    let session = try #require(log.waitForSession(of: "slow"))
    let state = Record.sample(1, size: 300_000).state.content
    viewer.reset(session, to: .elsewhere, state: state, timeout: .seconds(90)) { _ in }
    // It waits for the app's decision with all of it acknowledged.
    while viewer.counters.upload != UploadProgress(received: 300_000, total: 300_000) {
      Thread.sleep(forTimeInterval: 0.001)
    }
  }
}

extension Observer {
  /// Waits for the answer; a machine that does much else under the thread sanitizer takes its time.
  func reset(
    _ session: SessionID, to target: Position, state: Content?,
    from base: ResetBase? = nil, timeout: Duration = .seconds(120)
  ) -> ResetAnswer? {
    let done = DispatchSemaphore(value: 0)
    let box = AnswerBox()
    reset(session, to: target, state: state, from: base, timeout: timeout) { given in
      box.answer.withLock { $0 = given }
      done.signal()
    }
    _ = done.wait(timeout: .now() + .seconds(100))
    return box.answer.withLock { $0 }
  }
}

private final class AnswerBox: Sendable {
  let answer = Mutex<ResetAnswer?>(nil)
}
