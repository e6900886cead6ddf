import SurfRelay
import SurfWeb
import Testing

@Suite struct EngineIOHandshakeTests {
  @Test(arguments: [
    (
      EngineIOTransport.polling,
      #"0{"sid":"S","upgrades":["websocket"],"pingInterval":25000,"pingTimeout":20000,"#
        + #""maxPayload":1000000}"#
    ),
    (
      .webSocket,
      #"0{"sid":"S","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}"#
    ),
  ])
  func `successfully opens a session`(_ transport: EngineIOTransport, _ open: String) {
    var session = EngineIOServerSession(sid: "S", transport: transport, now: .seconds(7))
    let expected: EngineIOServerSession.Output =
      transport == .polling ? .respond(open) : .send(.text(open))
    #expect(session.takeOutputs() == [expected])
    #expect(session.deadline == .seconds(32))
  }

  /// Else every message would be too large for it.
  @Test(arguments: [("0", false), ("-5", false), ("1", true)])
  func `a server that takes no payload has no handshake`(size: String, isRead: Bool) {
    let text = #"{"sid":"S","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"#
    #expect((EngineIOHandshake(text: text + #""maxPayload":\#(size)}"#) != nil) == isRead)
  }

  private static func read(
    _ method: String, _ opensWebSocket: Bool, _ query: String
  ) throws(EngineIORefusal) -> EngineIORequest {
    try EngineIORequest(
      HTTPRequest(
        method: method, target: "/socket.io/?\(query)",
        headers: opensWebSocket ? ["Upgrade": "websocket"] : [:])
    ) { $0 == "S" }
  }

  @Test(
    arguments: [
      ("a polling session", "GET", false, "EIO=4&transport=polling", .open(.polling)),
      (
        "the parameter against caches", "GET", false, "t=N8hyd6w&EIO=4&transport=polling",
        .open(.polling)
      ),
      ("a WebSocket session", "GET", true, "EIO=4&transport=websocket", .open(.webSocket)),
      ("a poll", "GET", false, "EIO=4&transport=polling&sid=S", .poll(sid: "S")),
      ("a post", "POST", false, "EIO=4&transport=polling&sid=S", .post(sid: "S")),
      ("an upgrade", "GET", true, "EIO=4&transport=websocket&sid=S", .webSocket(sid: "S")),
    ] as [(String, String, Bool, String, EngineIORequest)])
  func `A good request is told by its query`(
    _ name: String, _ method: String, _ opensWebSocket: Bool, _ query: String,
    _ request: EngineIORequest
  ) throws {
    #expect(try Self.read(method, opensWebSocket, query) == request)
  }

  @Test(
    arguments: [
      (
        "fails with an invalid 'EIO' query parameter (missing)", "GET", false,
        "transport=polling", .unsupportedProtocolVersion
      ),
      (
        "fails with an invalid 'EIO' query parameter", "GET", true, "EIO=abc&transport=websocket",
        .unsupportedProtocolVersion
      ),
      (
        "fails with an older protocol", "GET", false, "EIO=3&transport=polling",
        .unsupportedProtocolVersion
      ),
      (
        "fails with an invalid 'transport' query parameter (missing)", "GET", false, "EIO=4",
        .unknownTransport
      ),
      (
        "fails with an invalid 'transport' query parameter", "GET", false, "EIO=4&transport=abc",
        .unknownTransport
      ),
      (
        "fails with an invalid request method (post)", "POST", false, "EIO=4&transport=polling",
        .badHandshakeMethod
      ),
      (
        "fails with an invalid request method (put)", "PUT", false, "EIO=4&transport=polling",
        .badHandshakeMethod
      ),
      (
        "fails with an invalid request method in a session", "PUT", false,
        "EIO=4&transport=polling&sid=S", .badRequest
      ),
      (
        "fails with an unknown session", "GET", false, "EIO=4&transport=polling&sid=X",
        .unknownSession
      ),
      (
        "fails with an empty session", "GET", false, "EIO=4&transport=polling&sid=", .unknownSession
      ),
      (
        "fails with a WebSocket that is none", "GET", false, "EIO=4&transport=websocket",
        .badRequest
      ),
      (
        "fails with a poll that is a WebSocket", "GET", true, "EIO=4&transport=polling", .badRequest
      ),
      ("fails without any query", "GET", false, "", .unknownTransport),
      ("fails with stray signs", "GET", false, "&&=&=4&EIO", .unknownTransport),
    ] as [(String, String, Bool, String, EngineIORefusal)])
  func `A bad request is refused`(
    _ name: String, _ method: String, _ opensWebSocket: Bool, _ query: String,
    _ refusal: EngineIORefusal
  ) {
    #expect(throws: refusal) { try Self.read(method, opensWebSocket, query) }
  }

  @Test(arguments: [
    (EngineIORefusal.unknownTransport, 400, #"{"code":0,"message":"Transport unknown"}"#),
    (.unknownSession, 400, #"{"code":1,"message":"Session ID unknown"}"#),
    (.badHandshakeMethod, 400, #"{"code":2,"message":"Bad handshake method"}"#),
    (.badRequest, 400, #"{"code":3,"message":"Bad request"}"#),
    (.unsupportedProtocolVersion, 400, #"{"code":5,"message":"Unsupported protocol version"}"#),
    (.payloadTooLarge, 413, ""),
  ])
  func `A refusal has the documented body`(
    _ refusal: EngineIORefusal, _ status: Int, _ body: String
  ) {
    #expect(refusal.status == status)
    #expect(refusal.body == body)
  }
}
