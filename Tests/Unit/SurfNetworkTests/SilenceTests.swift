import Dispatch
import SurfNetwork
import SurfObserver
import SurfWire
import Synchronization
import TestSupport
import Testing

/// A viewer that only observes, over real sockets.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct SilenceTests {
  private func observe(port: UInt16) throws -> (Observer, EventLog) {
    var configuration = Observer.Configuration()
    configuration.port = port
    configuration.isSilent = true
    let log = EventLog()
    return (try Observer(configuration: configuration) { log.add($0) }, log)
  }

  @Test func `it has the records and has sent nothing`() throws {
    let port = Ports.take()
    let app = TestApp("silence", port: port)
    defer { app.end() }
    let (viewer, log) = try observe(port: port)
    defer { viewer.stop() }
    let session = try #require(log.waitForSession(of: "silence"))
    viewer.follow(session, since: .since(1))
    #expect(log.wait { events in events.contains { $0.isCaughtUp } ? true : nil } == true)
    app.send(1...300, size: 3_000)
    let records = try #require(log.waitForRecords(300))
    #expect(records.map(\.sequence) == Array(1...300))
    #expect(viewer.counters.datagramsSent == 0)
  }

  @Test func `it answers its own requests with the reason`() throws {
    let port = Ports.take()
    let app = TestApp("mute", port: port)
    defer { app.end() }
    let (viewer, log) = try observe(port: port)
    defer { viewer.stop() }
    let session = try #require(log.waitForSession(of: "mute"))
    let answers = Mutex<[ResetAnswer]>([])
    let done = DispatchSemaphore(value: 0)
    viewer.reset(session, to: .initial, state: nil) { answer in
      answers.withLock { $0.append(answer) }
    }
    viewer.command(session, Array("{}".utf8)) { answer in
      answers.withLock { $0.append(answer) }
      done.signal()
    }
    done.wait()
    #expect(answers.withLock { $0 } == [.observing, .observing])
    #expect(app.resets.isEmpty)
    #expect(viewer.counters.datagramsSent == 0)
  }

  @Test func `no state is sent for the initial one alone`() throws {
    let port = Ports.take()
    let app = TestApp("stateless", port: port)
    defer { app.end() }
    let (viewer, log) = try observe(port: port)
    defer { viewer.stop() }
    let session = try #require(log.waitForSession(of: "stateless"))
    let answers = Mutex<[ResetAnswer]>([])
    let empty = Content(type: "application/json", bytes: [])
    for (target, state) in [(Position.record(1), nil), (.elsewhere, nil), (.record(1), empty)] {
      viewer.reset(session, to: target, state: state) { answer in
        answers.withLock { $0.append(answer) }
      }
    }
    #expect(answers.withLock { $0 } == [.noState, .noState, .noState])
    #expect(app.resets.isEmpty)
  }

  @Test func `an app that comes back with another socket is followed`() throws {
    let port = Ports.take()
    let app = TestApp("moves", port: port)
    defer { app.end() }
    let (viewer, log) = try observe(port: port)
    defer { viewer.stop() }
    let session = try #require(log.waitForSession(of: "moves"))
    viewer.follow(session, since: .newestState)
    #expect(log.wait { events in events.contains { $0.isCaughtUp } ? true : nil } == true)
    app.send(1...2)
    _ = try #require(log.waitForRecords(2))
    app.broadcaster.suspend()
    #expect(log.wait { events in events.contains { $0.isGone } ? true : nil } == true)
    app.broadcaster.resume()
    #expect(log.wait { events in events.hasReturned ? true : nil } == true)
    app.send(3...4)
    let records = try #require(log.waitForRecords(4))
    #expect(records.map(\.sequence) == [1, 2, 3, 4])
    #expect(viewer.counters.datagramsSent == 0)
  }
}

extension ObserverEvent {
  fileprivate var isCaughtUp: Bool { if case .caughtUp = self { true } else { false } }
  fileprivate var isGone: Bool { if case .gone = self { true } else { false } }
}

extension [ObserverEvent] {
  /// Whether there was a heartbeat after the last goodbye.
  fileprivate var hasReturned: Bool {
    guard let end = lastIndex(where: \.isGone) else { return false }
    return self[end...].contains { if case .heartbeat = $0 { true } else { false } }
  }
}
