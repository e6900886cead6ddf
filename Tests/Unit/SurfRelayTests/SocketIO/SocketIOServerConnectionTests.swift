import JSONTree
import SurfRelay
import Testing

/// Both sides against each other, as if a WebSocket were between them.
@Suite struct SocketIOServerConnectionTests {
  struct Pair {
    var server: SocketIOServerConnection
    var client: SocketIOClient
    var now = Duration.zero
    var serverLog: [SocketIOServerConnection.Output] = []
    var clientLog: [SocketIOClient.Output] = []

    init() {
      server = SocketIOServerConnection(
        engine: EngineIOServerSession(
          sid: "S", configuration: EngineScenario.configuration, transport: .webSocket, now: now),
        now: now)
      client = SocketIOClient(now: now)
    }

    /// Carries frames until none is left, and grants the client's requests.
    mutating func run() {
      var isBusy = true
      while isBusy {
        let fromServer = server.takeOutputs()
        for output in fromServer { carry(output) }
        let fromClient = client.takeOutputs()
        for output in fromClient { carry(output) }
        isBusy = !fromServer.isEmpty || !fromClient.isEmpty
      }
    }

    private mutating func carry(_ output: SocketIOServerConnection.Output) {
      switch output {
      case .transport(.send(let frame)): client.receive(frame, at: now)
      case .transport(.closeWebSocket): break
      case .connectRequested: server.accept(sid: "N", at: now)
      default: serverLog.append(output)
      }
    }

    private mutating func carry(_ output: SocketIOClient.Output) {
      let now = now
      switch output {
      case .send(let frame): server.withEngine(at: now) { $0.receive(frame, at: now) }
      case .closeWebSocket: server.withEngine(at: now) { $0.webSocketClosed(at: now) }
      default: clientLog.append(output)
      }
    }
  }

  @Test func `Events and answers pass both ways`() {
    var pair = Pair()
    pair.run()
    let message = SocketIOMessage(event: "log", arguments: [["b": 1, "a": "x"]])
    _ = pair.client.send(.event(message, id: nil))
    pair.server.send(message, id: 1, at: .zero)
    pair.run()
    _ = pair.client.send(.acknowledgement(["done"], id: 1))
    pair.run()
    #expect(pair.serverLog == [.event(message), .acknowledged(["done"])])
    #expect(pair.clientLog == [.connected(sid: "N"), .event(message, id: 1)])
  }

  @Test func `Nothing can be sent where nobody is connected`() {
    var pair = Pair()
    var isSent = [pair.server.send(SocketIOMessage(event: "a"), at: .zero)]
    pair.run()
    pair.client.close()
    pair.run()
    isSent.append(pair.server.send(SocketIOMessage(event: "a"), at: .zero))
    #expect(isSent == [false, false])
  }

  @Test func `Both live on by pings alone`() throws {
    var pair = Pair()
    pair.run()
    for _ in 0..<20 {
      let deadlines = [pair.server.deadline, pair.client.deadline].compactMap { $0 }
      pair.now = try #require(deadlines.min())
      pair.server.advance(to: pair.now)
      pair.client.advance(to: pair.now)
      pair.run()
    }
    #expect(pair.now == .milliseconds(6000))
    #expect(pair.client.isConnected && pair.server.deadline != nil)
  }

  @Test func `The client closes both sides`() {
    var pair = Pair()
    pair.run()
    pair.client.close()
    pair.run()
    #expect(pair.serverLog == [.disconnected, .closed(.engine(.closedByPeer))])
    #expect(pair.clientLog.last == .closed(.closedLocally))
  }

  @Test func `What makes no sense to the socket closes the engine`() {
    var server = SocketIOServerConnection(
      engine: EngineIOServerSession(sid: "S", transport: .polling, now: .zero), now: .zero)
    _ = server.takeOutputs()
    server.withEngine(at: .zero) {
      $0.poll(at: .zero)
      $0.post(Array("40\u{1e}4abc\u{1e}40".utf8), at: .zero)
    }
    #expect(
      server.takeOutputs() == [
        .transport(.respondPost), .connectRequested,
        .transport(.respond("1")), .closed(.invalidPacket(.unknownPacketType(0x61))),
      ])
    server.withEngine(at: .zero) { $0.poll(at: .zero) }
    #expect(server.takeOutputs() == [.transport(.refusePoll(.unknownSession))])
  }

  @Test func `The handshake must come in time, though pings are answered`() {
    var server = SocketIOServerConnection(
      engine: EngineIOServerSession(sid: "S", transport: .webSocket, now: .zero), now: .zero)
    _ = server.takeOutputs()
    #expect(server.deadline == .seconds(25))
    server.advance(to: .seconds(25))
    server.withEngine(at: .seconds(25)) { $0.receive(.text("3"), at: .seconds(25)) }
    #expect(server.deadline == .seconds(45))
    server.advance(to: .seconds(45))
    #expect(
      server.takeOutputs() == [
        .transport(.send(.text("2"))), .transport(.closeWebSocket), .closed(.connectTimeout),
      ])
    #expect(server.deadline == nil)
  }
}
