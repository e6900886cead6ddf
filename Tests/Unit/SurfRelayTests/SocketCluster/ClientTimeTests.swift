import JSONTree
import SurfRelay
import Testing

@Suite struct ClientTimeTests {
  typealias Output = SocketClusterClient.Output

  private func timedOut(_ event: String) -> String {
    "Event response for \"\(event)\" event timed out"
  }

  @Test func callsFailAfterTenSeconds() {
    var client = SocketClusterClient.connected()
    client.invoke(event: "a", data: nil, at: .seconds(1))
    client.invoke(event: "b", data: nil, at: .seconds(2))
    client.subscribe(channel: "c", at: .seconds(2))
    _ = client.takeOutputs()
    #expect(client.deadline == .seconds(11))
    client.advance(to: .milliseconds(10_999))
    #expect(client.takeOutputs() == [])
    client.advance(to: .seconds(11))
    #expect(client.takeOutputs() == [.failed(timedOut("a"))])
    #expect(client.deadline == .seconds(12))
    client.receive(.text(##"{"rid":3,"data":1}"##), at: .milliseconds(11_500))
    client.advance(to: .seconds(12))
    #expect(client.takeOutputs() == [.failed(timedOut("#subscribe"))])
    #expect(client.channels.isEmpty)
    // An answer that comes too late is to nothing.
    client.receive(.text(##"{"rid":2}"##), at: .seconds(13))
    #expect(client.takeOutputs() == [])
  }

  @Test func theHandshakeFailsAfterTenSeconds() {
    var client = SocketClusterClient(now: .seconds(1))
    _ = client.takeOutputs()
    #expect(client.deadline == .seconds(11))
    client.advance(to: .seconds(11))
    #expect(client.takeOutputs() == [.close(code: 4003, reason: "Failed to complete handshake")])
    #expect(client.deadline == nil)
  }

  @Test(arguments: [
    ("20000", 20_000), ("5000.0", 5_000), ("0", 1_000), ("-1", 1_000), ("1e300", 20_000),
    ("9007199254740991", 3_600_000), ("null", 20_000), ("\"1\"", 20_000),
  ])
  func aSilentServerIsLeftAfterThePingTimeoutItNamed(literal: String, timeout: Int) {
    var client = SocketClusterClient(now: .zero)
    client.receive(.text(##"{"rid":1,"data":{"id":"x","pingTimeout":\##(literal)}}"##), at: .zero)
    client.receive(.text(""), at: .milliseconds(500))
    _ = client.takeOutputs()
    #expect(client.deadline == .milliseconds(timeout + 500))
    client.advance(to: .milliseconds(timeout + 499))
    #expect(client.takeOutputs() == [])
    client.advance(to: .milliseconds(timeout + 500))
    #expect(client.takeOutputs() == [.close(code: 4000, reason: "Server ping timed out")])
  }

  @Test func nothingIsSentWithoutAConnection() {
    var client = SocketClusterClient(now: .zero)
    _ = client.takeOutputs()
    client.invoke(event: "a", data: nil, at: .zero)
    client.subscribe(channel: "b", at: .zero)
    client.transmit(event: "a", data: nil)
    #expect(client.takeOutputs() == [])
    #expect(client.deadline == .seconds(10))
    client.receive(.text(handshakeAnswer), at: .zero)
    client.invoke(event: "a", data: nil, at: .seconds(19))
    _ = client.takeOutputs()
    client.advance(to: .seconds(20))
    client.receive(.text(##"{"event":"respond"}"##), at: .seconds(20))
    #expect(client.takeOutputs() == [.close(code: 4000, reason: "Server ping timed out")])
  }
}
