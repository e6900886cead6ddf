import SurfRelay
import SurfWeb
import Testing

/// The first bytes, before there is a WebSocket.
@Suite struct HandshakeTests {
  static func link() -> RelayLink { RelayLink(to: ClusterRelay.address, random: { 5 }) }

  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let answer: String
    let reason: String

    init(_ answer: String, _ reason: String) {
      testDescription = answer
      self.answer = answer
      self.reason = reason
    }
  }

  @Test(arguments: [
    Row(
      "HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\nno",
      "it does not speak WebSocket at /socketcluster/: refused(status: 400)"),
    Row(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: AAAA\r\n\r\n",
      "it does not speak WebSocket at /socketcluster/: badAccept"),
    Row(
      "HTTP/1.1 101 Switching Protocols\r\n\r\n",
      "it does not speak WebSocket at /socketcluster/: notUpgrade"),
  ])
  func `A refusal is told in words`(row: Row) {
    var link = Self.link()
    _ = link.takeOutputs()
    link.receive(Array(row.answer.utf8), at: .zero)
    #expect(link.takeOutputs() == [.close, .lost(row.reason)])
  }

  @Test(arguments: [
    (nil, "none was"), ("a b\r\nX: y", "a wrong one was"), ("abc", "a wrong one was"),
  ])
  func `A relay is shown the token in the head, and who lacks it is told so`(
    token: String?, shown: String
  ) throws {
    var address = ClusterRelay.address
    let description = address.description
    address.token = token
    #expect(address.description == description)
    var link = RelayLink(to: address, random: { 5 })
    guard case .write(let bytes)? = link.takeOutputs().first else {
      Issue.record("no handshake")
      return
    }
    var parser = HTTPRequestParser()
    try parser.receive(bytes)
    let request = try #require(try parser.next())
    #expect(request.path == "/socketcluster/" && request.query.isEmpty)
    let wanted = token.map { "Bearer \($0.replacing("\r\n", with: "  "))" }
    #expect(request.headers["Authorization"] == wanted)
    link.receive(Array("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n".utf8), at: .zero)
    let outputs: [RelayLink.Output] = [.close, .lost("it asks for a token, and \(shown) shown")]
    #expect(link.takeOutputs() == outputs)
  }

  @Test func `An answer that is no HTTP ends it`() {
    var link = Self.link()
    _ = link.takeOutputs()
    link.receive(Array("SSH-2.0-OpenSSH\r\n\r\n".utf8), at: .zero)
    let outputs = link.takeOutputs()
    #expect(outputs.count == 2 && outputs.first == .close)
    guard case .lost(let reason) = outputs.last else {
      Issue.record("not lost")
      return
    }
    #expect(reason.hasPrefix("its answer is not HTTP: "))
  }

  @Test func `The answer may come byte by byte, and frames right behind it`() throws {
    var link = Self.link()
    guard case .write(let bytes)? = link.takeOutputs().first else {
      Issue.record("no handshake")
      return
    }
    var socket = FakeSocket()
    _ = try socket.receive(bytes)
    socket.connection.send(.text(##"{"rid":1,"data":{"id":"S1"}}"##))
    for byte in socket.takeBytes() { link.receive([byte], at: .zero) }
    for output in link.takeOutputs() {
      if case .write(let bytes) = output { _ = try socket.receive(bytes) }
    }
    #expect(socket.texts == ClusterLinkTests.entry)
  }

  @Test func `Whoever does not answer in time is lost`() {
    var link = Self.link()
    _ = link.takeOutputs()
    #expect(link.deadline == .zero, "at once: the link has no clock of its own")
    link.advance(to: .seconds(100))
    #expect(link.deadline == .seconds(110))
    link.advance(to: .milliseconds(109_999))
    #expect(link.takeOutputs() == [])
    link.advance(to: .seconds(110))
    #expect(link.takeOutputs() == [.close, .lost("it did not answer the handshake")])
  }

  @Test func `Nothing is sent before the answer, and leaving just closes`() {
    var link = Self.link()
    _ = link.takeOutputs()
    link.send(["type": "START"], at: .zero)
    link.leave()
    #expect(link.takeOutputs() == [.close])
  }

  @Test func `Both random numbers and path go into the request`() throws {
    let address = RelayAddress(kind: .socketIO, host: "relay", port: 3000)
    var link = RelayLink(to: address, random: { 0x41 })
    let request = """
      GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r
      Host: relay:3000\r
      Upgrade: websocket\r
      Connection: Upgrade\r
      Sec-WebSocket-Key: QUFBQUFBQUFBQUFBQUFBQQ==\r
      Sec-WebSocket-Version: 13\r
      \r

      """
    #expect(link.takeOutputs() == [.write(Array(request.utf8))])
  }
}
