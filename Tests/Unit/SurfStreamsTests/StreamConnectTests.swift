import SurfSockets
import SurfStreams
import SurfThreads
import TestSupport
import Testing

extension RealStreams {
  /// Connections that do not come about, and the loop's own end.
  @Suite struct StreamConnectTests {
    /// How connecting from a loop of its own ends.
    private func connect(
      _ host: String, port: UInt16, timeout: Duration = patience
    ) throws -> StreamEnd {
      let log = EventLog()
      let loop = try startLoop([], log)
      var ids = StreamIDs.connecting
      loop.send(.action(.connect(ids.next(), host: host, port: port, timeout: timeout)))
      defer { loop.stop() }
      return try log.end()
    }

    @Test(arguments: loopbacks)
    func refusalIsToldInWords(_ address: TCPAddress) throws {
      // Was free a moment ago, and is now.
      let port = try TCPListener(on: address).address.port
      let host = address.host == loopback.host ? "127.0.0.1" : "::1"
      guard case .failed(let text) = try connect(host, port: port) else { throw Gone() }
      let shown = TCPAddress(address.host, port: port)
      #expect(text == "cannot connect to \(shown): Connection refused (errno 111)")
    }

    @Test(arguments: ["no-such-host.invalid", "", "a\0b", String(repeating: "a", count: 300)])
    func anUnknownHostIsToldInWords(_ host: String) throws {
      guard case .failed(let text) = try connect(host, port: 1) else { throw Gone() }
      #expect(text.hasPrefix("cannot find the host '\(host)': "))
    }

    /// A listener that accepts nothing and has a full queue does not answer another client.
    @Test func aPeerThatDoesNotAnswerIsGivenUpInTime() throws {
      let listener = try TCPListener(on: loopback, backlog: 0)
      let crowd = try (0..<4).map { _ in try TCPStream(connectingTo: listener.address) }
      let start = monotonicNow()
      let end = try connect(
        "127.0.0.1", port: listener.address.port, timeout: .milliseconds(300))
      #expect(monotonicNow() - start >= .milliseconds(300))
      let target = listener.address
      #expect(end == .failed("cannot connect to \(target): no answer in time"))
      withExtendedLifetime(crowd) {}
    }

    @Test func abortEndsConnecting() throws {
      let listener = try TCPListener(on: loopback, backlog: 0)
      let crowd = try (0..<4).map { _ in try TCPStream(connectingTo: listener.address) }
      let log = EventLog()
      let loop = try startLoop([], log)
      var ids = StreamIDs.connecting
      let id = ids.next()
      let port = listener.address.port
      loop.send(.action(.connect(id, host: "127.0.0.1", port: port, timeout: .seconds(60))))
      loop.send(.action(.abort(id)))
      #expect(try log.end() == .byUs)
      loop.stop()
      #expect(log.events == [.closed(id, .byUs)])
      withExtendedLifetime(crowd) {}
    }

    @Test func aPortThatIsTakenIsAnError() throws {
      let first = try TCPListener(on: loopback)
      #expect(throws: SocketError.system(.listen(on: first.address.description), errno: 98)) {
        _ = try startLoop([first.address], EventLog())
      }
    }

    @Test func bothFamiliesMayListenOnOnePort() throws {
      let first = try TCPListener(on: loopback)
      let both = TCPAddress(.v6(IPv6Address(high: 0, low: 0)), port: first.address.port)
      #expect(throws: Never.self) { _ = try TCPListener(on: both) }
    }

    @Test func stopStillSendsWhatWaits() throws {
      let log = EventLog()
      var limits = StreamLimits()
      // This test may run on a busy machine.
      limits.stopMax = patience
      let loop = try startLoop([loopback], log, limits: limits)
      let client = try Client(loop.addresses[0])
      let id = try log.accepted()
      let bytes = pattern(12 << 20)
      loop.send(.action(.write(id, bytes)))
      let thread = try Thread.start(name: "surf-stop") { loop.stop() }
      let isWhole = try client.read() == bytes
      #expect(isWhole)
      thread.join()
      #expect(log.events.last == .closed(id, .byUs))
      #expect(!loop.send(.action(.abort(id))))
    }

    @Test func stopDoesNotWaitLongForAClientThatDoesNotRead() throws {
      let log = EventLog()
      let loop = try startLoop([loopback], log)
      let client = try Client(loop.addresses[0])
      let id = try log.accepted()
      loop.send(.action(.write(id, [UInt8](repeating: 1, count: 12 << 20))))
      let start = monotonicNow()
      loop.stop()
      let time = monotonicNow() - start
      #expect(time >= .milliseconds(500) && time < patience)
      #expect(log.events.last == .closed(id, .byUs))
      #expect(throws: SocketError.self) { try client.read() }
      loop.stop()
    }

    @Test func aLoopThatNobodyHoldsEndsByItself() throws {
      let log = EventLog()
      func clientOfAShortLoop() throws -> Client {
        let loop = try startLoop([loopback], log)
        let client = try Client(loop.addresses[0])
        _ = try log.accepted()
        return client
      }
      #expect(try clientOfAShortLoop().read() == [])
      #expect(try log.end() == .byUs)
    }

    @Test func inputsOfManyThreadsArriveOnceAndInOrder() throws {
      let log = EventLog()
      let loop = try startLoop([], log)
      let threads = try (0..<8).map { thread in
        try Thread.start(name: "surf-input") {
          for number in 0..<1_000 { loop.send(.note(thread: thread, number: number)) }
        }
      }
      for thread in threads { thread.join() }
      loop.stop()
      let notes = log.content.withLock { $0.notes }
      for thread in 0..<8 {
        let isInOrder = notes.filter { $0.thread == thread }.map(\.number) == Array(0..<1_000)
        #expect(isInOrder, "thread \(thread)")
      }
    }
  }
}
