import RelayClient
import SurfGateway
import SurfStreams
import SurfWire
import Testing

@Suite("Relays that the gateway dials")
struct UplinkTests {
  private let session = SessionID(rawValue: 1)

  /// A gateway that knows an app.
  private func makeMachine() -> GatewayMachine {
    var machine = GatewayMachine(
      configuration: GatewayConfiguration(), random: { 1 }, wallTime: { 0 }, perform: { _ in })
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
}
