import JSONTree
import SurfRelay
import Testing

@Suite struct ServerPingTests {
  typealias Output = SocketClusterServerSession.Output

  /// What `version` expected by the server sends until `end` to a client that answers with `pong`,
  /// by the second.
  private func pings(
    _ version: SocketClusterVersion, to ping: String?, pong: String, until end: Int
  ) -> [Int: [Output]] {
    var session = SocketClusterServerSession.opened(version)
    var log: [Int: [Output]] = [:]
    for second in 1...end {
      session.advance(to: .seconds(second))
      let outputs = session.takeOutputs()
      if !outputs.isEmpty { log[second] = outputs }
      if let ping, outputs.contains(.send(text: ping)) {
        session.receive(.text(pong), at: .seconds(second))
      }
    }
    return log
  }

  private static let empty = Output.send(text: "")
  private static let numbered = Output.send(text: "#1")
  private static let lost = Output.close(code: 4001, reason: "Client pong timed out")

  @Test func clientsOfTheExpectedVersionArePingedEveryEightSeconds() {
    let empty = [Self.empty]
    let numbered = [Self.numbered]
    #expect(pings(.v2, to: "", pong: "", until: 33) == [8: empty, 16: empty, 24: empty, 32: empty])
    #expect(
      pings(.v1, to: "#1", pong: "#2", until: 33)
        == [8: numbered, 16: numbered, 24: numbered, 32: numbered])
  }

  @Test func clientsOfTheOtherVersionAreFoundOut() {
    #expect(
      pings(.v2, to: "#1", pong: "#2", until: 33)
        == [
          8: [Self.empty], 16: [Self.empty, Self.numbered], 24: [Self.numbered],
          32: [Self.numbered],
        ])
    #expect(
      pings(.v1, to: "", pong: "", until: 24)
        == [8: [Self.numbered], 16: [Self.numbered, Self.empty], 24: [Self.empty]])
  }

  @Test func silentClientsAreClosed() {
    #expect(
      pings(.v2, to: nil, pong: "", until: 40)
        == [8: [Self.empty], 16: [Self.empty, Self.numbered], 20: [Self.lost]])
  }

  @Test func aClientThatFallsSilentIsClosedTwentySecondsAfterItsLastPong() {
    var session = SocketClusterServerSession.opened()
    session.receive(.text(""), at: .seconds(5))
    // Other messages prove nothing: the reference server counts pongs alone.
    session.receive(.text(##"{"event":"log"}"##), at: .seconds(15))
    for second in [8, 16, 24] { session.advance(to: .seconds(second)) }
    #expect(session.isOpen)
    #expect(session.deadline == .seconds(25))
    session.advance(to: .seconds(25))
    #expect(session.takeOutputs().last == Self.lost)
    #expect(!session.isOpen)
  }

  @Test func aLatePingIsSentOnce() {
    var session = SocketClusterServerSession.opened()
    session.receive(.text(""), at: .seconds(1))
    session.advance(to: .seconds(20))
    #expect(session.takeOutputs() == [Self.empty])
    session.advance(to: .milliseconds(20_001))
    #expect(session.takeOutputs() == [])
  }

  @Test(arguments: [("#2", SocketClusterVersion.v1), ("#1", .v1), ("", .v2)])
  func versionsAreRecognisedBeforeTheHandshakeToo(text: String, version: SocketClusterVersion) {
    var session = SocketClusterServerSession.connecting(version == .v1 ? .v2 : .v1)
    session.receive(.text(text), at: .zero)
    session.receive(.text(handshake), at: .zero)
    _ = session.takeOutputs()
    session.advance(to: .seconds(8))
    #expect(session.takeOutputs() == [version == .v1 ? Self.numbered : Self.empty])
  }
}
