import SurfWeb
import Testing

@Suite("Opening handshake")
struct HandshakeTests {
  /// The request of RFC 6455 §1.2.
  private static let good: HTTPHeaders = [
    "Host": "server.example.com", "Upgrade": "websocket", "Connection": "Upgrade",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Protocol": "chat, superchat",
  ]

  @Test func acceptsTheSampleOfTheRFC() throws {
    let request = HTTPRequest(target: "/chat", headers: Self.good)
    let response = try WebSocketHandshake.response(to: request, protocols: ["superchat", "x"])
    #expect(response.status == 101)
    #expect(response.headers["Upgrade"] == "websocket")
    #expect(response.headers["Connection"] == "Upgrade")
    #expect(response.headers["Sec-WebSocket-Accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    #expect(response.headers["Sec-WebSocket-Protocol"] == "superchat")
    #expect(response.headers["Sec-WebSocket-Extensions"] == nil)
  }

  @Test(arguments: [([], nil), (["x"], nil), (["superchat", "chat"], "chat")])
  func choosesTheClientsFirst(protocols: [String], chosen: String?) throws {
    let request = HTTPRequest(target: "/", headers: Self.good)
    let response = try WebSocketHandshake.response(to: request, protocols: protocols)
    #expect(response.headers["Sec-WebSocket-Protocol"] == chosen)
  }

  @Test(arguments: [
    ("Connection", "keep-alive, Upgrade"), ("Connection", "UPGRADE"), ("Upgrade", "WebSocket"),
    ("Upgrade", "h2c, websocket"), ("Sec-WebSocket-Extensions", "permessage-deflate"),
  ])
  func isLenientWhereTheRFCIs(name: String, value: String) throws {
    var headers = Self.good
    headers[name] = value
    let request = HTTPRequest(target: "/", headers: headers)
    #expect(try WebSocketHandshake.response(to: request).status == 101)
  }

  @Test(arguments: [
    ("Upgrade", nil, HandshakeError.notUpgrade, 426), ("Upgrade", "websockets", .notUpgrade, 426),
    ("Connection", nil, .notUpgrade, 426), ("Connection", "close", .notUpgrade, 426),
    ("Sec-WebSocket-Version", nil, .unsupportedVersion, 426),
    ("Sec-WebSocket-Version", "8", .unsupportedVersion, 426),
    ("Sec-WebSocket-Version", "13, 8", .unsupportedVersion, 426),
    ("Sec-WebSocket-Key", nil, .badKey, 400), ("Sec-WebSocket-Key", "", .badKey, 400),
    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25j", .badKey, 400),
    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZR==", .badKey, 400),
    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ", .badKey, 400),
    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZ!==", .badKey, 400),
  ])
  func refuses(name: String, value: String?, error: HandshakeError, status: Int) {
    var headers = Self.good
    headers[name] = value
    let request = HTTPRequest(target: "/", headers: headers)
    #expect(throws: error) { try WebSocketHandshake.response(to: request) }
    #expect(error.response.status == status)
    #expect((error.response.headers["Sec-WebSocket-Version"] == "13") == (status == 426))
  }

  @Test func refusesOtherMethodsVersionsAndTwoKeys() {
    let post = HTTPRequest(method: "POST", target: "/", headers: Self.good)
    #expect(throws: HandshakeError.notGet) { try WebSocketHandshake.response(to: post) }
    #expect(HandshakeError.notGet.response.headers["Allow"] == "GET")
    let old = HTTPRequest(target: "/", version: .http10, headers: Self.good)
    #expect(throws: HandshakeError.notUpgrade) { try WebSocketHandshake.response(to: old) }
    var headers = Self.good
    headers.append("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")
    let twice = HTTPRequest(target: "/", headers: headers)
    #expect(throws: HandshakeError.badKey) { try WebSocketHandshake.response(to: twice) }
  }
}

@Suite("Opening handshake of a client")
struct ClientHandshakeTests {
  private let client = WebSocketHandshake.ClientHandshake(
    host: "h:80", path: "/a?b", key: SIMD16(repeating: 7),
    extraHeaders: ["Origin": "o", "connection": "close"])

  @Test func isUnderstoodByTheServer() throws {
    var parser = HTTPRequestParser()
    try parser.receive(client.request.encoded())
    let request = try #require(try parser.next())
    #expect(request.headers["Host"] == "h:80")
    #expect(request.headers["Origin"] == "o")
    #expect(request.target == "/a?b")
    let response = try WebSocketHandshake.response(to: request)
    var reader = HTTPResponseParser()
    try reader.receive(response.encoded() + [1, 2, 3])
    let answer = try #require(try reader.next())
    try client.check(answer)
    #expect(reader.takeRemaining() == [1, 2, 3])
  }

  @Test(arguments: [
    ("Upgrade", nil, HandshakeError.notUpgrade), ("Upgrade", "x, websocket", .notUpgrade),
    ("Connection", nil, .notUpgrade), ("Sec-WebSocket-Accept", nil, .badAccept),
    ("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", .badAccept),
    ("Sec-WebSocket-Protocol", "z", .notOffered), ("Sec-WebSocket-Protocol", "x, y", .notOffered),
    ("Sec-WebSocket-Extensions", "permessage-deflate", .notOffered),
  ])
  func refuses(name: String, value: String?, error: HandshakeError) throws {
    var response = try WebSocketHandshake.response(to: client.request)
    try client.check(response)
    response.headers[name] = value
    #expect(throws: error) { try client.check(response) }
  }

  @Test func refusesAnotherStatus() {
    #expect(throws: HandshakeError.refused(status: 403)) {
      try client.check(HTTPResponse(status: 403))
    }
  }
}
