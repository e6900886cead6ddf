import SurfGateway
import SurfRelay
import SurfStreams
import SurfThreads
import SurfWeb
import SurfWire
import Testing

@Suite("Relays that the gateway dials")
struct UplinkTests {
  private let session = SessionID(rawValue: 1)

  /// A gateway that knows an app.
  private func makeMachine(
    perform: @escaping @Sendable ([GatewayRequest]) -> Void = { _ in }
  ) -> GatewayMachine {
    var machine = GatewayMachine(
      configuration: GatewayConfiguration(), random: { 1 }, wallTime: { 0 }, perform: perform)
    machine.receive(.observer(.appeared(session, Bench.heartbeat("Todo"))), at: .zero)
    machine.receive(.observer(.caughtUp(session)), at: .zero)
    // As an app of before that knows no such command.
    machine.receive(.answer(session, .answered(.rejected(reason: "?"), .initial)), at: .zero)
    return machine
  }

  private func relay(_ host: String) -> RelayAddress {
    RelayAddress(kind: .socketCluster, host: host, port: 8_000)
  }

  private func dialled(by machine: inout GatewayMachine) -> [(stream: StreamID, host: String)] {
    machine.takeActions().compactMap { action in
      guard case .connect(let stream, let host, _, _) = action else { return nil }
      return (stream, host)
    }
  }

  @Test func `a relay whose address comes late is dialled there and no more by its name`() throws {
    var machine = makeMachine()
    machine.receive(.found(relay("desk.local"), formerly: nil), at: .zero)
    let first = dialled(by: &machine)
    #expect(first.map(\.host) == ["desk.local"])
    machine.receive(.found(relay("10.0.0.1"), formerly: relay("desk.local")), at: .seconds(1))
    #expect(dialled(by: &machine).isEmpty)
    machine.receive(.closed(try #require(first.first).stream, .failed("nobody")), at: .seconds(1))
    machine.advance(to: .seconds(100))
    #expect(dialled(by: &machine).map(\.host) == ["10.0.0.1"])
  }

  /// The relay may refuse the gateway's first message. Without a pause, each new connection would
  /// be refused again, forever.
  @Test func `a relay that lets it in and ends each connection is dialled less and less`() throws {
    let pauses = Monitor<[Duration]>([])
    var machine = makeMachine { requests in
      for case .note(.relayLost(_, _, let pause)) in requests {
        pauses.withLock { $0.append(pause) }
      }
    }
    let address = RelayAddress(kind: .socketIO, host: "10.0.0.1", port: 8_000)
    var now = Duration.zero
    machine.receive(.found(address, formerly: nil), at: now)
    for lasts in [0, 0, 9, 0, 10, 0] {
      let stream = try #require(dialled(by: &machine).first?.stream)
      try enter(stream, of: &machine, at: now)
      now += .seconds(lasts)
      machine.receive(.ended(stream), at: now)
      _ = machine.takeActions()
      now += .seconds(60)
      machine.advance(to: now)
    }
    #expect(
      pauses.withLock { $0 } == [250, 500, 1_000, 2_000, 250, 500].map(Duration.milliseconds))
  }

  /// Lets the gateway in, as a Socket.IO relay does.
  private func enter(
    _ stream: StreamID, of machine: inout GatewayMachine, at now: Duration
  ) throws {
    let peer = try #require(TCPAddress(parsing: "10.0.0.1", port: 8_000))
    machine.receive(.connected(stream, peer: peer), at: now)
    var parser = HTTPRequestParser()
    for case .write(stream, let bytes) in machine.takeActions() { try parser.receive(bytes) }
    let request = try #require(try parser.next())
    let response = try WebSocketHandshake.response(to: request).encoded()
    machine.receive(.received(stream, response), at: now)
    let opening = #"0{"sid":"a","upgrades":[],"pingInterval":25000,"pingTimeout":20000}"#
    for text in [opening, #"40{"sid":"b"}"#] {
      machine.receive(.received(stream, WebSocketConnection.serverFrame(text: text.utf8)), at: now)
    }
  }
}
