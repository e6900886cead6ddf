import SurfSockets
import SurfStreams
import SurfThreads
import TestSupport
import Testing

extension RealStreams {
  /// The loop with an echoing machine: how streams begin and end.
  @Suite struct StreamLoopTests {
    @Test(arguments: loopbacks)
    func echoesAndClosesAfterTheLastByte(_ address: TCPAddress) throws {
      let log = EventLog()
      let loop = try startLoop([address], log, react: echo)
      let bound = try #require(loop.addresses.first)
      #expect(bound.port > 0 && bound.host == address.host)
      let client = try Client(bound)
      try client.write([1, 2, 3])
      #expect(try client.read(3) == [1, 2, 3])
      client.stream.shutDownWriting()
      #expect(try client.read() == [])
      #expect(try log.end() == .byPeer)
      let id = try log.accepted()
      #expect(
        try log.events == [
          .accepted(id, peer: client.stream.localAddress(), local: bound),
          .received(id, [1, 2, 3]), .drained(id), .ended(id), .closed(id, .byPeer),
        ])
      loop.stop()
    }

    @Test func `an answer that is ready leaves before the machine's work`() throws {
      let log = EventLog()
      let isRead = Monitor(false)
      let waits = Monitor<[Bool]>([])
      let loop = try startLoop([loopback], log, react: echo) {
        let hasHeard = log.events.contains { if case .received = $0 { true } else { false } }
        guard hasHeard, waits.withLock(\.isEmpty) else { return }
        let isDone = isRead.wait(until: monotonicNow() + patience) { $0 }
        waits.withLock { $0.append(isDone) }
      }
      let client = try Client(loop.addresses[0])
      try client.write([1])
      #expect(try client.read(1) == [1])
      isRead.withLock { $0 = true }
      waits.wait(until: monotonicNow() + patience) { !$0.isEmpty }
      #expect(waits.withLock { $0 } == [true])
      loop.stop()
    }

    @Test func `who said something while it connected is heard at once`() throws {
      enum Step { case busy, goOn, accepted, heard, worked }
      let steps = Monitor<[Step]>([])
      let loop = try startLoop(
        [loopback], EventLog(),
        react: { event in
          switch event {
          case .accepted: steps.withLock { $0.append(.accepted) }
          case .received: steps.withLock { $0.append(.heard) }
          default: break
          }
          return []
        },
        work: {
          steps.withLock { $0.append($0.contains(.goOn) ? .worked : .busy) }
          steps.wait(until: monotonicNow() + patience) { $0.contains(.goOn) }
        })
      steps.wait(until: monotonicNow() + patience) { $0.contains(.busy) }
      let client = try Client(loop.addresses[0])
      try client.write([1])
      steps.withLock { $0.append(.goOn) }
      steps.wait(until: monotonicNow() + patience) { $0.contains(.heard) }
      let later = try #require(steps.withLock { $0 }.split(separator: .goOn).last)
      #expect(later.prefix(2) == [.accepted, .heard])
      loop.stop()
    }

    @Test func fiftyClientsAtOnceGetTheirOwnBytes() throws {
      let log = EventLog()
      let loop = try startLoop(loopbacks, log, react: echo)
      let clients = try (0..<50).map { try Client(loop.addresses[$0 % 2]) }
      for (index, client) in clients.enumerated() {
        try client.write(pattern(5_000, from: index * 77))
      }
      for (index, client) in clients.enumerated() {
        let isSame = try client.read(5_000) == pattern(5_000, from: index * 77)
        #expect(isSame, "client \(index)")
      }
      let names = log.events.filter { if case .accepted = $0 { true } else { false } }
      #expect(Set(names.map(\.stream)).count == 50)
      loop.stop()
      #expect(loop.counters.closed == 50)
    }

    /// Two loops: one connects and says something, the other echoes.
    @Test(arguments: loopbacks)
    func connectsToALiteralAndHearsTheAnswer(_ address: TCPAddress) throws {
      let server = try startLoop([address], EventLog(), react: echo)
      let log = EventLog()
      let loop = try startLoop([], log)
      var ids = StreamIDs.connecting
      let id = ids.next()
      let port = server.addresses[0].port
      let host = "\(server.addresses[0])".dropLast("\(port)".count + 1)
      loop.send(
        .action(.connect(id, host: String(host), port: port, timeout: patience)))
      // Before it is connected: the bytes wait.
      loop.send(.action(.write(id, [7])))
      _ = try log.wait { $0 == .received(id, [7]) }
      #expect(log.events.first == .connected(id, peer: server.addresses[0]))
      loop.send(.action(.closeAfterWriting(id)))
      #expect(try log.end() == .byUs)
      loop.stop()
      server.stop()
    }

    @Test func connectsByNameToWhicheverAddressListens() throws {
      let server = try startLoop([loopback], EventLog(), react: echo)
      let log = EventLog()
      let loop = try startLoop([], log)
      var ids = StreamIDs.connecting
      let id = ids.next()
      let port = server.addresses[0].port
      loop.send(.action(.connect(id, host: "localhost", port: port, timeout: patience)))
      let event = try log.wait { _ in true }
      #expect(event == .connected(id, peer: server.addresses[0]))
      loop.stop()
      server.stop()
    }

    @Test func theMachineSpeaksOnAfterThePeerHasEnded() throws {
      let log = EventLog()
      let loop = try startLoop([loopback], log)
      let client = try Client(loop.addresses[0])
      client.stream.shutDownWriting()
      let id = try log.wait { if case .ended = $0 { true } else { false } }.stream
      let before = loop.counters.turns
      _ = log.content.wait(until: monotonicNow() + .milliseconds(300)) { _ in false }
      #expect(loop.counters.turns - before <= 2, "the loop spins")
      loop.send(.action(.write(id, [9, 9])))
      #expect(try client.read(2) == [9, 9])
      loop.send(.action(.closeAfterWriting(id)))
      #expect(try client.read() == [])
      #expect(try log.end() == .byPeer)
      loop.stop()
    }

    @Test func aStreamThatThePeerHalfClosedIsNotKeptForEver() throws {
      let log = EventLog()
      var limits = StreamLimits()
      limits.halfOpenMax = .milliseconds(50)
      let loop = try startLoop([loopback], log, limits: limits)
      let client = try Client(loop.addresses[0])
      client.stream.shutDownWriting()
      #expect(try log.end() == .byPeer)
      loop.stop()
    }

    @Test func abortResetsThePeer() throws {
      let log = EventLog()
      let loop = try startLoop([loopback], log) { event in
        if case .received(let id, _) = event { [.abort(id)] } else { [] }
      }
      let client = try Client(loop.addresses[0])
      try client.write([1])
      #expect(try log.end() == .byUs)
      #expect(throws: SocketError.system(.receive, errno: 104)) { try client.read() }
      loop.stop()
    }

    @Test func aResetByThePeerIsToldInWords() throws {
      let log = EventLog()
      let loop = try startLoop([loopback], log)
      let client = try Client(loop.addresses[0])
      _ = try log.accepted()
      client.stream.resetOnClose()
      _ = consume client
      guard case .failed(let text) = try log.end() else { throw Gone() }
      #expect(text.contains("reset by peer"))
      loop.stop()
    }

    @Test func closingWaitsForThePeerAndDropsWhatItStillSends() throws {
      let log = EventLog()
      let loop = try startLoop([loopback], log) { event in
        guard case .received(let id, _) = event else { return [] }
        return [.write(id, pattern(1_500_000)), .closeAfterWriting(id), .write(id, [1])]
      }
      let client = try Client(loop.addresses[0])
      try client.write([0])
      // Some of the answer shows that the machine has closed.
      let first = try client.read(1)
      try client.write([1, 2, 3])
      let isWhole = try first + client.read() == pattern(1_500_000)
      #expect(isWhole)
      client.stream.shutDownWriting()
      #expect(try log.end() == .byUs)
      let id = try log.accepted()
      #expect(Array(log.events.dropFirst()) == [.received(id, [0]), .closed(id, .byUs)])
      loop.stop()
    }
  }
}
