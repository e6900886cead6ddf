import JSONTree
import SurfRelay
import Testing

@Suite struct ServerSessionTests {
  typealias Output = SocketClusterServerSession.Output
  typealias Row = TableRow<Output>

  static let rejected = Output.close(code: 4008, reason: "Server rejected handshake from client")
  static let tooEarly = Output.close(
    code: 4009, reason: "Server received a message before the client handshake")

  @Test(arguments: [
    Row("handshake", handshake, .send(text: handshakeAnswer)),
    Row(
      "without data, in a batch", ##"[{"event":"#handshake","cid":1}]"##,
      .send(text: handshakeAnswer)),
    Row("without call id", ##"{"event":"#handshake","data":{}}"##, rejected),
    Row("with a string for call id", ##"{"event":"#handshake","cid":"1"}"##, rejected),
    Row("event", ##"{"event":"log","data":{}}"##, tooEarly),
    Row("call", ##"{"event":"login","data":{},"cid":"1"}"##, tooEarly),
    Row("nothing after closing", ##"[{"event":"log"},{"event":"#handshake","cid":1}]"##, tooEarly),
    Row("garbage", "?"),
    Row("pongs", ""),
    Row(
      "bad token", ##"{"event":"#handshake","data":{"authToken":"x"},"cid":7}"##,
      .send(
        text: ##"{"rid":7,"data":{"id":"RaiAsgVCEbXqJXzNAAAA","pingTimeout":20000,"##
          + ##""authError":{"message":"jwt malformed","name":"AuthTokenInvalidError","##
          + ##""isBadToken":true},"isAuthenticated":false}}"##),
      .send(text: ##"{"event":"#removeAuthToken"}"##)),
  ])
  func theFirstMessageShakesHands(row: Row) {
    for isBinary in [false, true] {
      var session = SocketClusterServerSession.connecting()
      if isBinary {
        session.receive(.binary(Array(row.text.utf8)), at: .zero)
      } else {
        session.receive(.text(row.text), at: .zero)
      }
      #expect(session.takeOutputs() == row.outputs)
    }
  }

  static let publishRefused =
    ##"{"rid":5,"error":{"message":"Client publish feature is disabled","##
    + ##""name":"InvalidActionError"}}"##
  static let unsubscribeRefused =
    ##"{"rid":4,"error":{"message":"Failed to unsubscribe socket from the log channel - "##
    + "InvalidActionError: Socket RaiAsgVCEbXqJXzNAAAA tried to unsubscribe from a channel "
    + ##"which it is not subscribed to","name":"BrokerError"}}"##
  static let subscribeRefused =
    ##"{"rid":3,"error":{"message":"Failed to subscribe socket to the undefined channel - "##
    + "InvalidActionError: Socket RaiAsgVCEbXqJXzNAAAA provided an invalid channel name\""
    + ##","name":"BrokerError"}}"##

  @Test(arguments: [
    Row("second handshake", handshake, .send(text: handshakeAnswer)),
    Row(
      "call", ##"{"event":"login","data":"master","cid":2}"##,
      .invoke(event: "login", data: "master", cid: 2)),
    Row("call without data", ##"{"event":"a","cid":-2}"##, .invoke(event: "a", data: nil, cid: -2)),
    Row(
      "transmission", ##"{"event":"log","data":{"type":"START"}}"##,
      .transmit(event: "log", data: ["type": "START"])),
    Row(
      "subscription", ##"{"event":"#subscribe","data":{"channel":"respond"},"cid":3}"##,
      .send(text: ##"{"rid":3}"##), .subscribed(channel: "respond")),
    Row(
      "subscription twice",
      ##"[{"event":"#subscribe","data":{"channel":"a"},"cid":3},"##
        + ##"{"event":"#subscribe","data":{"channel":"a"},"cid":4}]"##,
      .send(text: ##"{"rid":3}"##), .subscribed(channel: "a"), .send(text: ##"{"rid":4}"##)),
    Row(
      "subscription to no name", ##"{"event":"#subscribe","data":{"channel":7},"cid":3}"##,
      .send(text: subscribeRefused)),
    Row(
      "subscription to nothing", ##"{"event":"#subscribe","cid":3}"##, .send(text: subscribeRefused)
    ),
    Row(
      "subscription without call id", ##"{"event":"#subscribe","data":{"channel":"a"}}"##),
    Row(
      "end of a subscription",
      ##"[{"event":"#subscribe","data":{"channel":"respond"},"cid":3},"##
        + ##"{"event":"#unsubscribe","data":"respond","cid":4}]"##,
      .send(text: ##"{"rid":3}"##), .subscribed(channel: "respond"), .send(text: ##"{"rid":4}"##)),
    Row(
      "end of no subscription", ##"{"event":"#unsubscribe","data":"log","cid":4}"##,
      .send(text: unsubscribeRefused)),
    Row("end of no subscription, unasked", ##"{"event":"#unsubscribe","data":"log"}"##),
    Row(
      "publication as a call",
      ##"{"event":"#publish","data":{"channel":"log","data":1},"cid":5}"##,
      .send(text: publishRefused)),
    Row("publication", ##"{"event":"#publish","data":{"channel":"log","data":1}}"##),
    Row(
      "bad token", ##"{"event":"#authenticate","data":"x","cid":6}"##,
      .send(text: ##"{"event":"#removeAuthToken"}"##),
      .send(
        text: ##"{"rid":6,"error":{"message":"jwt malformed","name":"AuthTokenInvalidError","##
          + ##""isBadToken":true}}"##)),
    Row(
      "no token", ##"{"event":"#authenticate","data":null,"cid":6}"##,
      .send(text: ##"{"rid":6,"data":{"isAuthenticated":false,"authError":null}}"##)),
    Row("removal of no token", ##"{"event":"#removeAuthToken"}"##),
    Row("ping of version 1", "#1", .send(text: "#2")),
    Row("pong of version 1", "#2"),
    Row("pong of version 2", ""),
    Row(
      "goodbye of version 1", ##"{"event":"#disconnect","data":{"code":4321}}"##,
      .close(code: 4321, reason: "")),
    Row(
      "goodbye with a code that cannot be sent", ##"{"event":"#disconnect","data":{"code":1006}}"##,
      .close(code: 1000, reason: "")),
    Row("string call id", ##"{"event":"login","cid":"2"}"##),
    Row("answer to nothing", ##"{"rid":1}"##),
    Row("unknown reserved event", ##"{"event":"#kickOut","data":{},"cid":1}"##),
    Row("garbage", "{"),
    Row(
      "garbage in a batch", ##"[0,{"event":"a"},{}]"##, .transmit(event: "a", data: nil)
    ),
  ])
  func messagesAreDealtWith(row: Row) {
    var session = SocketClusterServerSession.opened()
    session.receive(.text(row.text), at: .seconds(1))
    #expect(session.takeOutputs() == row.outputs)
  }
}
