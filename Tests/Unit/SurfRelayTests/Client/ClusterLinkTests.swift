import JSONTree
import SurfRelay
import SurfWeb
import Testing

/// An app at a relay as `@redux-devtools/cli` is one (Relay.md, SocketCluster).
@Suite struct ClusterLinkTests {
  typealias Talk = Conversation<ClusterRelay>

  static let entry = [
    ##"{"event":"#handshake","data":{"authToken":null},"cid":1}"##,
    ##"{"event":"login","data":"master","cid":2}"##,
    ##"{"event":"#subscribe","data":{"channel":"respond"},"cid":3}"##,
    ##"{"event":"#subscribe","data":{"channel":"sc-S1"},"cid":4}"##,
  ]

  private func entered(_ relay: ClusterRelay = ClusterRelay()) throws -> Talk {
    var talk = Talk(relay)
    try talk.run()
    try #require(talk.news == [.ready(id: "S1")])
    talk.news = []
    return talk
  }

  @Test func `The handshake asks for the path with its slash, and names the host`() throws {
    let talk = try entered()
    let request = try #require(talk.socket.request)
    #expect(request.target == "/socketcluster/")
    #expect(request.headers["Host"] == "[::1]:8000")
    #expect(WebSocketHandshake.isRequested(by: request))
  }

  @Test func `An app logs in and watches both channels, word by word`() throws {
    var talk = try entered()
    talk.link.send(["type": "START", "id": "S1"], at: talk.now)
    try talk.run()
    #expect(
      talk.socket.texts == Self.entry + [##"{"event":"log","data":{"type":"START","id":"S1"}}"##])
    #expect(talk.session.logins == ["master"])
    #expect(talk.session.session.channels == ["respond", "sc-S1"])
  }

  @Test(arguments: [[3, 4], [4, 3]])
  func `It is ready only when both channels are confirmed`(order: [Int]) throws {
    var link = RelayLink(to: ClusterRelay.address, random: { 7 })
    var socket = FakeSocket()
    func exchange(_ texts: String...) throws -> [RelayLink.Output] {
      var news: [RelayLink.Output] = []
      for output in link.takeOutputs() {
        if case .write(let bytes) = output { _ = try socket.receive(bytes) }
      }
      for text in texts { socket.connection.send(.text(text)) }
      link.receive(socket.takeBytes(), at: .zero)
      for output in link.takeOutputs() {
        if case .write(let bytes) = output {
          _ = try socket.receive(bytes)
        } else {
          news.append(output)
        }
      }
      return news
    }
    #expect(try exchange(##"{"rid":1,"data":{"id":"S1","pingTimeout":20000}}"##) == [])
    #expect(try exchange(##"{"rid":2,"data":"respond"}"##, "{\"rid\":\(order[0])}") == [])
    link.send(["type": "START"], at: .zero)
    #expect(socket.texts == Self.entry, "nothing is sent too early")
    #expect(try exchange("{\"rid\":\(order[1])}") == [.ready(id: "S1")])
  }

  @Test func `A frame on the app's own channel is for it alone`() throws {
    var talk = try entered()
    talk.session.session.publish(channel: "sc-S1", data: ["type": "START"])
    talk.session.session.publish(channel: "respond", data: ["type": "UPDATE"])
    talk.send(talk.session.take())
    try talk.run()
    #expect(
      talk.news == [
        .frame(["type": "START"], isForAll: false), .frame(["type": "UPDATE"], isForAll: true),
      ])
  }

  @Test func `Relays of version 1 repeat frames as events, and ping by number`() throws {
    var talk = try entered(ClusterRelay(version: .v1))
    talk.session.session.publish(channel: "sc-S1", data: ["type": "START"])
    talk.session.session.emit(event: "respond", data: ["type": "START"])
    talk.session.session.emit(event: "gossip", data: 1)
    talk.send(talk.session.take())
    talk.now = .seconds(8)
    talk.session.session.advance(to: talk.now)
    talk.send(talk.session.take())
    try talk.run()
    #expect(talk.news == [.frame(["type": "START"], isForAll: false)])
    #expect(talk.socket.texts == Self.entry + ["#2"])
  }

  @Test func `A ping is answered, and keeps the link`() throws {
    var talk = try entered()
    for time in [8, 16, 24, 32] {
      talk.now = .seconds(time)
      talk.session.session.advance(to: talk.now)
      talk.send(talk.session.take())
      try talk.run()
      talk.link.advance(to: talk.now)
    }
    #expect(talk.socket.texts == Self.entry + ["", "", "", ""])
    #expect(talk.news == [])
    #expect(talk.link.deadline == .seconds(52))
  }

  @Test func `A relay that pings no more is lost`() throws {
    var talk = try entered()
    #expect(talk.link.deadline == .seconds(20))
    talk.link.advance(to: .milliseconds(19_999))
    try talk.run()
    #expect(talk.news == [])
    talk.link.advance(to: .seconds(20))
    try talk.run()
    #expect(talk.news == [.close, .lost("Server ping timed out")])
    #expect(talk.socket.closing == CloseCode(rawValue: 4000))
    #expect(talk.link.deadline == nil)
  }

  @Test func `A relay that stops in the middle of a call is lost once, for that reason`() throws {
    var relay = ClusterRelay()
    relay.answersLogin = false
    var talk = try entered(relay)
    talk.now = .seconds(10)
    talk.link.advance(to: .seconds(25))
    try talk.run()
    #expect(talk.news == [.close, .lost("Server ping timed out")])
  }

  @Test func `A relay that answers no login is of no use`() throws {
    var relay = ClusterRelay()
    relay.answersLogin = false
    var talk = try entered(relay)
    talk.link.advance(to: .seconds(10))
    try talk.run()
    let reason = "it refused a call: Event response for \"login\" event timed out"
    #expect(talk.news == [.close, .lost(reason)])
    #expect(talk.socket.closing == .normal)
  }

  @Test func `Being put out of a channel ends it, once`() throws {
    var talk = try entered()
    talk.session.session.emit(
      event: "#kickOut", data: ["channel": "sc-S1", "message": "full"])
    talk.session.session.close(code: 1000, reason: "and out")
    talk.send(talk.session.take())
    try talk.run()
    #expect(talk.news == [.close, .lost("it ended 'sc-S1': full")])
  }

  struct End: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let code: UInt16
    let reason: String
    let words: String
  }

  @Test(arguments: [
    End(testDescription: "with words", code: 1001, reason: "restart", words: "it closed: restart"),
    End(testDescription: "by a number", code: 4008, reason: "", words: "it closed: code 4008"),
  ])
  func `A relay that closes says why`(end: End) throws {
    var talk = try entered()
    talk.send([.close(CloseCode(rawValue: end.code), end.reason)])
    try talk.run()
    #expect(talk.news == [.close, .lost(end.words)])
    #expect(talk.socket.closing == CloseCode(rawValue: end.code), "the closing handshake is over")
  }

  @Test func `A frame in bytes is read like text`() throws {
    var talk = try entered()
    let frame = ##"{"event":"#publish","data":{"channel":"sc-S1","data":{"type":"STOP"}}}"##
    talk.send([.message(.binary(Array(frame.utf8)))])
    try talk.run()
    #expect(talk.news == [.frame(["type": "STOP"], isForAll: false)])
  }

  @Test(arguments: ["garbage", "{}", "[]", "null", ##"{"event":1}"##, ##"{"rid":99}"##])
  func `What makes no sense is ignored`(text: String) throws {
    var talk = try entered()
    talk.send([.message(.text(text))])
    try talk.run()
    #expect(talk.news == [])
  }

  @Test func `A broken WebSocket frame ends it`() throws {
    var talk = try entered()
    // A reserved bit (RFC 6455 §5.2).
    talk.link.receive([0xf1, 0x00], at: .zero)
    try talk.run()
    #expect(talk.news.count == 2)
    #expect(talk.news.first == .close)
    guard case .lost(let reason) = talk.news.last else {
      Issue.record("not lost")
      return
    }
    #expect(reason.hasPrefix("it broke the protocol: "))
    #expect(talk.socket.closing == .protocolError)
  }

  @Test func `A stream that ends is lost, once`() throws {
    var talk = try entered()
    talk.link.streamClosed()
    talk.link.streamClosed()
    #expect(talk.link.takeOutputs() == [.close, .lost("the connection ended")])
    talk.link.send(["type": "START"], at: .zero)
    talk.link.receive([0x81, 0], at: .zero)
    talk.link.advance(to: .seconds(99))
    talk.link.leave()
    #expect(talk.link.takeOutputs() == [], "nothing comes after it")
  }

  @Test func `Leaving says goodbye`() throws {
    var talk = try entered()
    talk.link.leave()
    talk.link.leave()
    try talk.run()
    #expect(talk.news == [.close])
    #expect(talk.socket.closing == .goingAway)
  }
}
