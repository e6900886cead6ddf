import JSONTree
import SurfRelay
import Testing

@Suite struct ClientTests {
  typealias Output = SocketClusterClient.Output
  typealias Row = TableRow<Output>

  static let handshakeFailed = Output.close(code: 4003, reason: "Failed to complete handshake")

  @Test(arguments: [
    Row("answer", handshakeAnswer, .connected(id: "RaiAsgVCEbXqJXzNAAAA")),
    Row("answer without an id", ##"{"rid":1,"data":{}}"##, handshakeFailed),
    Row("error", ##"{"rid":1,"error":{"message":"no","name":"N"}}"##, handshakeFailed),
    Row("answer to something else", ##"{"rid":2,"data":{"id":"x"}}"##),
    Row("event", ##"{"event":"respond","data":1}"##),
    Row("ping", "", .send(text: "")),
  ])
  func theFirstMessageAnswersTheHandshake(row: Row) {
    var client = SocketClusterClient(now: .zero)
    #expect(client.takeOutputs() == [.send(text: handshake)])
    client.receive(.text(row.text), at: .zero)
    #expect(client.takeOutputs() == row.outputs)
  }

  @Test(arguments: [
    Row(
      "answer to a subscription", ##"{"rid":2}"##, .subscribed(channel: "respond")),
    Row("answer to a call", ##"{"rid":3,"data":"respond"}"##),
    Row(
      "error", ##"{"rid":3,"error":{"message":"m","name":"n"}}"##,
      .failed("m")),
    Row(
      "refusal twice", ##"[{"rid":3,"error":"no"},{"rid":3,"error":"no"}]"##,
      .failed("no")),
    Row(
      "publication, even before the answer",
      ##"{"event":"#publish","data":{"channel":"respond","data":{"type":"START"}}}"##,
      .published(channel: "respond", data: ["type": "START"])),
    Row(
      "publication elsewhere", ##"{"event":"#publish","data":{"channel":"log","data":1}}"##),
    Row(
      "refused subscription",
      ##"[{"rid":2,"error":"no"},{"event":"#publish","data":{"channel":"respond","data":1}}]"##,
      .failed("no")),
    Row(
      "kick",
      ##"[{"event":"#kickOut","data":{"channel":"respond","message":"m"}},"##
        + ##"{"event":"#publish","data":{"channel":"respond","data":1}}]"##,
      .kicked(channel: "respond", message: "m")),
    Row("kick elsewhere", ##"{"event":"#kickOut","data":{"channel":"log"}}"##),
    Row(
      "plain event", ##"{"event":"respond","data":{"type":"START"}}"##,
      .event(name: "respond", data: ["type": "START"])),
    Row("token", ##"[{"event":"#setAuthToken","data":{}},{"event":"#removeAuthToken"}]"##),
    Row("ping of version 1", "#1", .send(text: "#2")),
    Row("ping of version 2", "", .send(text: "")),
    Row("garbage", "[0]"),
  ])
  func messagesAreDealtWith(row: Row) {
    for isBinary in [false, true] {
      var client = SocketClusterClient.connected()
      client.subscribe(channel: "respond", at: .zero)
      client.invoke(event: "login", data: "master", at: .zero)
      _ = client.takeOutputs()
      if isBinary {
        client.receive(.binary(Array(row.text.utf8)), at: .zero)
      } else {
        client.receive(.text(row.text), at: .zero)
      }
      #expect(client.takeOutputs() == row.outputs)
    }
  }

  @Test func callsAreWrittenByteForByte() {
    var client = SocketClusterClient.connected()
    client.invoke(event: "login", data: "master", at: .zero)
    client.subscribe(channel: "respond", at: .zero)
    client.transmit(event: "log", data: ["type": "START"])
    #expect(
      client.takeOutputs() == [
        .send(text: ##"{"event":"login","data":"master","cid":2}"##),
        .send(text: ##"{"event":"#subscribe","data":{"channel":"respond"},"cid":3}"##),
        .send(text: ##"{"event":"log","data":{"type":"START"}}"##),
      ])
  }
}
