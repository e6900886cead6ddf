import JSONTree
import SurfRelay
import SurfWeb
import Testing

/// An app at a relay that speaks Socket.IO (Relay.md, Socket.IO).
@Suite struct SocketIOLinkTests {
  typealias Talk = Conversation<SocketIORelay>

  private func entered() throws -> Talk {
    var talk = Talk(SocketIORelay())
    try talk.run()
    try #require(talk.news == [.ready(id: "N1")])
    talk.news = []
    return talk
  }

  @Test func `An app connects and logs, word by word`() throws {
    var talk = try entered()
    talk.link.send(["type": "INIT", "payload": "{\"n\":1}", "instanceId": "i"], at: talk.now)
    try talk.run()
    #expect(
      talk.socket.texts == [
        "40", ##"42["log",{"type":"INIT","payload":"{\"n\":1}","instanceId":"i"}]"##,
      ])
    #expect(talk.session.events.map(\.event) == ["log"])
  }

  @Test func `A dispatch is a frame for whom it may concern`() throws {
    var talk = try entered()
    let frame: JSON = ["type": "JUMP_TO_ACTION", "actionId": 2]
    for event in ["dispatch", "chat"] {
      let message = SocketIOMessage(event: event, arguments: [frame])
      talk.send(talk.session.send(message, at: talk.now))
    }
    talk.send(talk.session.send(SocketIOMessage(event: "dispatch"), at: talk.now))
    try talk.run()
    #expect(talk.news == [.frame(frame, isForAll: true)])
  }

  @Test func `An event with bytes does no harm`() throws {
    var talk = try entered()
    let picture = #"["picture",{"_placeholder":true,"num":0}]"#
    talk.send(talk.session.send(picture, [[1, 2]], at: talk.now))
    let frame: JSON = ["type": "RESET"]
    talk.send(
      talk.session.send(SocketIOMessage(event: "dispatch", arguments: [frame]), at: talk.now))
    try talk.run()
    #expect(talk.news == [.frame(frame, isForAll: true)])
  }

  @Test func `Bytes beside a dispatch are in their place, as base64`() throws {
    var talk = try entered()
    let dispatch =
      #"["dispatch",{"type":"ACTION","action":{"put":[{"_placeholder":true,"num":1},"#
      + #"{"_placeholder":true,"num":0},7]}}]"#
    talk.send(talk.session.send(dispatch, [[0xff], Array("milk".utf8)], at: talk.now))
    try talk.run()
    let filled: JSON = ["type": "ACTION", "action": ["put": ["bWlsaw==", "/w==", 7]]]
    #expect(talk.news == [.frame(filled, isForAll: true)])
  }

  /// The relay announces 1,000,000 octets, and would end the connection.
  @Test(arguments: [(0, nil), (1, 1_000_001), (1_000_000, 2_000_000)])
  func `A message that the relay does not take is not sent`(_ excess: Int, _ size: Int?) throws {
    var talk = try entered()
    let head = ##"42["log",{"p":""}]"##.utf8.count
    let text = String(repeating: "x", count: 1_000_000 - head + excess)
    let told = talk.link.send(["p": .string(text)], at: talk.now)
    #expect(told?.size == size && (told == nil || told?.sizeMax == 1_000_000))
    try talk.run()
    #expect(talk.session.events.count == (size == nil ? 1 : 0))
    #expect(talk.news == [])
    talk.link.send(["p": "small"], at: talk.now)
    try talk.run()
    #expect(talk.session.events.last?.arguments == [["p": "small"]])
  }

  @Test func `A ping is answered, and keeps the link`() throws {
    var talk = try entered()
    talk.now = .seconds(25)
    talk.session.connection.advance(to: talk.now)
    talk.send(talk.session.take(at: talk.now))
    try talk.run()
    #expect(talk.socket.texts == ["40", "3"])
    #expect(talk.link.deadline == .seconds(70))
  }

  @Test func `A relay that pings no more is lost`() throws {
    var talk = try entered()
    #expect(talk.link.deadline == .seconds(45))
    talk.link.advance(to: .milliseconds(44_999))
    try talk.run()
    #expect(talk.news == [])
    talk.link.advance(to: .seconds(45))
    try talk.run()
    #expect(talk.news == [.close, .lost("the session ended: the other side fell silent")])
    #expect(talk.socket.closing == .normal)
  }

  @Test func `A refusal is told in words`() throws {
    var relay = SocketIORelay()
    relay.refusal = "members only"
    var talk = Talk(relay)
    try talk.run()
    #expect(talk.news.count == 2)
    #expect(talk.news.first == .close)
    #expect("\(talk.news)".contains("members only"))
  }

  @Test(arguments: ["4", "49", "42[", "42{}", "x"])
  func `A broken packet ends it`(text: String) throws {
    var talk = try entered()
    talk.send([.message(.text(text))])
    try talk.run()
    #expect(talk.news.count == 2 && talk.news.first == .close)
    #expect("\(talk.news)".contains("invalid data: "))
  }

  @Test func `Leaving says goodbye`() throws {
    var talk = try entered()
    talk.link.leave()
    try talk.run()
    #expect(talk.news == [.close])
    #expect(talk.socket.closing == .goingAway)
  }
}
