import Glibc
import SurfSockets
import SurfStreams
import SurfThreads
import Synchronization
import TestSupport
import Testing

extension RealStreams {
  /// The loop's limits, and its reaction beyond them.
  @Suite struct StreamLimitTests {
    /// The machine writes 20 MB in pieces, each only when the loop has room.
    @Test func twentyMegabytesPassWithLittleWaiting() throws {
      let log = EventLog()
      let piece = pattern(1 << 20)
      let sent = Atomic<Int>(0)
      let most = Atomic<Int>(0)
      let loop = try startLoop([loopback], log) { event in
        let id = event.stream
        switch event {
        case .progress(_, let unsent): most.max(unsent, ordering: .relaxed)
        case .accepted, .drained: break
        default: return []
        }
        guard sent.add(1, ordering: .relaxed).newValue <= 20 else {
          return [.closeAfterWriting(id)]
        }
        return [.write(id, piece)]
      }
      let client = try Client(loop.addresses[0])
      var place = 0
      var isRight = true
      while let bytes = try client.readSome() {
        for byte in bytes {
          isRight = isRight && byte == piece[place % piece.count]
          place += 1
        }
      }
      #expect(isRight && place == 20 << 20)
      client.stream.shutDownWriting()
      #expect(try log.end() == .byUs)
      #expect(most.load(ordering: .relaxed) <= StreamLimits().lowWater)
      loop.stop()
      #expect(loop.counters.sent == 20 << 20)
    }

    @Test func aClientThatDoesNotReadIsCutOffAtTheLimit() throws {
      let log = EventLog()
      let loop = try startLoop([loopback], log)
      let client = try Client(loop.addresses[0])
      let id = try log.accepted()
      let piece = [UInt8](repeating: 1, count: 1 << 20)
      // The kernel keeps some as well.
      for _ in 0..<16 { loop.send(.action(.write(id, piece))) }
      log.content.wait(until: monotonicNow() + .milliseconds(200)) {
        $0.events.contains(where: \.isEnd)
      }
      let isClosed = log.events.contains(where: \.isEnd)
      #expect(!isClosed, "closed within the limit")
      for _ in 0..<16 { loop.send(.action(.write(id, piece))) }
      guard case .failed(let text) = try log.end() else { throw Gone() }
      #expect(text.hasPrefix("too slow: "))
      #expect(throws: SocketError.self) { try client.read() }
      loop.stop()
    }

    @Test func progressIsToldOnceWhenTheRestFallsBelowTheMark() throws {
      let log = EventLog()
      let loop = try startLoop([loopback], log)
      let client = try Client(loop.addresses[0])
      let id = try log.accepted()
      loop.send(.action(.write(id, [UInt8](repeating: 1, count: 12 << 20))))
      // A reader here could empty the kernel's buffers as fast as they fill.
      while loop.counters.sent == 0 { usleep(1_000) }
      #expect(try client.read(12 << 20).count == 12 << 20)
      _ = try log.wait { $0 == .drained(id) }
      loop.send(.action(.write(id, [1])))
      #expect(try client.read(1) == [1])
      loop.stop()
      let told = log.events.compactMap { event -> Int? in
        if case .progress(_, let unsent) = event { unsent } else { nil }
      }
      #expect(told.count == 1 && told.allSatisfy { $0 <= StreamLimits().lowWater })
    }

    @Test func oneConnectionTooManyIsClosedAtOnce() throws {
      let log = EventLog()
      var limits = StreamLimits()
      limits.streamsMax = 3
      let loop = try startLoop([loopback], log, limits: limits, react: echo)
      let clients = try (0..<3).map { _ in try Client(loop.addresses[0]) }
      let extra = try Client(loop.addresses[0])
      #expect(try extra.read() == [])
      var ids = StreamIDs.connecting
      let id = ids.next()
      let port = loop.addresses[0].port
      loop.send(.action(.connect(id, host: "127.0.0.1", port: port, timeout: patience)))
      guard case .failed(let text) = try log.end() else { throw Gone() }
      #expect(text.hasSuffix("there are 3 connections already"))
      for client in clients {
        try client.write([5])
        #expect(try client.read(1) == [5])
      }
      #expect(loop.counters.turnedAway == 1)
      // One goes, and there is room again.
      clients[0].stream.shutDownWriting()
      #expect(try clients[0].read() == [])
      _ = try log.wait { if case .closed(_, .byPeer) = $0 { true } else { false } }
      let late = try Client(loop.addresses[0])
      try late.write([6])
      #expect(try late.read(1) == [6])
      loop.stop()
    }

    @Test func aPeerThatNeverClosesIsLeftAfterAWhile() throws {
      let log = EventLog()
      var limits = StreamLimits()
      limits.lingerMax = .milliseconds(50)
      let loop = try startLoop([loopback], log, limits: limits)
      let client = try Client(loop.addresses[0])
      loop.send(.action(.closeAfterWriting(try log.accepted())))
      #expect(try log.end() == .byUs)
      #expect(try client.read() == [])
      loop.stop()
    }

    @Test func aPeerThatReadsNothingCannotHoldUpClosing() throws {
      let log = EventLog()
      var limits = StreamLimits()
      limits.closingMax = .milliseconds(50)
      let loop = try startLoop([loopback], log, limits: limits)
      let client = try Client(loop.addresses[0])
      let id = try log.accepted()
      loop.send(.action(.write(id, [UInt8](repeating: 1, count: 12 << 20))))
      loop.send(.action(.closeAfterWriting(id)))
      guard case .failed(let text) = try log.end() else { throw Gone() }
      #expect(text.hasPrefix("too slow: "))
      #expect(throws: SocketError.self) { try client.read() }
      loop.stop()
    }

    /// Of two clients that read nothing, the one with the most is cut off.
    @Test func theSumOfWhatWaitsHasALimit() throws {
      let log = EventLog()
      var limits = StreamLimits()
      limits.unsentSumMax = 14 << 20
      let loop = try startLoop([loopback], log, limits: limits)
      let (small, large) = (try Client(loop.addresses[0]), try Client(loop.addresses[0]))
      log.content.wait(until: monotonicNow() + patience) { $0.events.count == 2 }
      let ids = log.events.map(\.stream)
      // The kernel keeps some megabytes.
      loop.send(.action(.write(ids[0], [UInt8](repeating: 1, count: 9 << 20))))
      loop.send(.action(.write(ids[1], [UInt8](repeating: 2, count: 15 << 20))))
      guard case .closed(let id, .failed(let text)) = try log.wait(for: \.isEnd) else {
        throw Gone()
      }
      #expect(id == ids[1] && text.hasPrefix("too slow: "))
      #expect(throws: SocketError.self) { try large.read() }
      #expect(try small.read(9 << 20).allSatisfy { $0 == 1 })
      loop.stop()
    }

    /// The loop reads a held stream's data, and its end, once the stream is released.
    @Test func aHeldStreamIsReadLater() throws {
      let log = EventLog()
      let mayGoOn = Monitor(false)
      let loop = try startLoop(
        [loopback], log,
        react: { event in if case .accepted(let id, _, _) = event { [.hold(id)] } else { [] } },
        work: { mayGoOn.wait(until: monotonicNow() + patience) { $0 } })
      let client = try Client(loop.addresses[0])
      // Before it is accepted: the loop is at work.
      try client.write([1, 2, 3])
      client.stream.shutDownWriting()
      mayGoOn.withLock { $0 = true }
      let id = try log.accepted()
      let other = try Client(loop.addresses[0])
      try other.write([9])
      log.content.wait(until: monotonicNow() + patience) { $0.events.count == 2 }
      loop.send(.action(.release(log.events[1].stream)))
      _ = try log.wait { if case .received(_, [9]) = $0 { true } else { false } }
      let heard = log.events.filter { $0.stream == id }
      #expect(heard.count == 1, "\(heard)")
      loop.send(.action(.release(id)))
      _ = try log.wait { if case .ended(id) = $0 { true } else { false } }
      #expect(log.events.contains(.received(id, [1, 2, 3])))
      loop.stop()
    }

    /// A flood from one client; the others still get their answers.
    @Test func aFloodDoesNotStarveTheOthers() throws {
      let loop = try startLoop([loopback], EventLog(), skipsBytes: true) { event in
        if case .received(let id, let bytes) = event, bytes.count == 1 {
          [.write(id, bytes)]
        } else {
          []
        }
      }
      let isOver = Atomic<Bool>(false)
      let address = loop.addresses[0]
      let flood = try Thread.start(name: "surf-flood") {
        do {
          let client = try Client(address)
          let piece = [UInt8](repeating: 0, count: 1 << 20)
          while !isOver.load(ordering: .relaxed) { try client.write(piece) }
        } catch {
          Issue.record(error)
        }
      }
      let client = try Client(address)
      for number in UInt8(0)..<100 {
        try client.write([number])
        #expect(try client.read(1) == [number])
      }
      isOver.store(true, ordering: .relaxed)
      flood.join()
      loop.stop()
    }
  }
}
