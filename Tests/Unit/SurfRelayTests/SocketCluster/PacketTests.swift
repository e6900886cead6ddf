import JSONTree
import SurfRelay
import Testing

@Suite struct PacketTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let packets: [SocketClusterPacket]

    init(_ name: String, _ text: String, _ packets: SocketClusterPacket...) {
      testDescription = name
      self.text = text
      self.packets = packets
    }
  }

  /// Every kind of packet, as SocketCluster has it on the wire (Relay.md, SocketCluster).
  static let rows = [
    Row(
      "handshake", ##"{"event":"#handshake","data":{"authToken":null},"cid":1}"##,
      .event(name: "#handshake", data: ["authToken": .null], cid: 1)),
    Row(
      "handshake answer",
      handshakeAnswer,
      .answer(
        rid: 1,
        data: ["id": "RaiAsgVCEbXqJXzNAAAA", "pingTimeout": 20000, "isAuthenticated": false])),
    Row("ping of version 2", "", .emptyPing),
    Row("ping of version 1", "#1", .numberedPing),
    Row("pong of version 1", "#2", .numberedPong),
    Row(
      "invoke", ##"{"event":"login","data":"master","cid":2}"##,
      .event(name: "login", data: "master", cid: 2)),
    Row("answer", ##"{"rid":2,"data":"respond"}"##, .answer(rid: 2, data: "respond")),
    Row(
      "invoke error", ##"{"rid":5,"error":{"message":"…","name":"InvalidActionError"}}"##,
      .failure(rid: 5, SocketClusterError(name: "InvalidActionError", message: "…"))),
    Row(
      "transmit", ##"{"event":"log","data":{"type":"START"}}"##,
      .event(name: "log", data: ["type": "START"], cid: nil)),
    Row(
      "subscribe", ##"{"event":"#subscribe","data":{"channel":"respond"},"cid":3}"##,
      .event(name: "#subscribe", data: ["channel": "respond"], cid: 3)),
    Row("answer without data", ##"{"rid":3}"##, .answer(rid: 3, data: nil)),
    Row(
      "unsubscribe", ##"{"event":"#unsubscribe","data":"respond","cid":4}"##,
      .event(name: "#unsubscribe", data: "respond", cid: 4)),
    Row(
      "channel message", ##"{"event":"#publish","data":{"channel":"log","data":{}}}"##,
      .event(name: "#publish", data: ["channel": "log", "data": [:]], cid: nil)),
    Row(
      "push of a token", ##"{"event":"#setAuthToken","data":{"token":"…"}}"##,
      .event(name: "#setAuthToken", data: ["token": "…"], cid: nil)),
    Row(
      "removal of a token", ##"{"event":"#removeAuthToken"}"##,
      .event(name: "#removeAuthToken", data: nil, cid: nil)),
    Row(
      "goodbye of version 1", ##"{"event":"#disconnect","data":{"code":1000}}"##,
      .event(name: "#disconnect", data: ["code": 1000], cid: nil)),
    Row(
      "bad token",
      ##"{"rid":1,"error":{"message":"jwt malformed","name":"AuthTokenInvalidError","##
        + ##""isBadToken":true}}"##,
      .failure(
        rid: 1,
        SocketClusterError(
          name: "AuthTokenInvalidError", message: "jwt malformed", isBadToken: true))),
  ]

  @Test(arguments: rows)
  func packetsAreReadAndWrittenByteForByte(row: Row) {
    #expect(SocketClusterPacket.parse(.text(row.text)) == row.packets)
    #expect(SocketClusterPacket.parse(.binary(Array(row.text.utf8))) == row.packets)
    #expect(row.packets.map(\.text) == [row.text])
  }

  @Test(arguments: [
    Row("empty batch", "[]"),
    Row(
      "batch", ##"[{"rid":1},{"rid":2}]"##, .answer(rid: 1, data: nil), .answer(rid: 2, data: nil)),
    Row(
      "garbage within a batch", ##"[7,{"rid":2},[]]"##, .garbage, .answer(rid: 2, data: nil),
      .garbage),
    Row(
      "whole numbers written otherwise", ##"{"rid":1e0,"data":1.0}"##,
      .answer(rid: 1, data: .number(JSONNumber(literal: "1.0") ?? JSONNumber(0)))),
    Row("null ids", ##"{"event":"a","cid":null,"rid":1}"##, .event(name: "a", data: nil, cid: nil)),
    Row("null event", ##"{"event":null,"rid":1}"##, .answer(rid: 1, data: nil)),
    Row("null error", ##"{"rid":1,"error":null}"##, .answer(rid: 1, data: nil)),
    Row("null data", ##"{"event":"a","data":null}"##, .event(name: "a", data: JSON.null, cid: nil)),
    Row("string call id", ##"{"event":"a","cid":"1"}"##, .misnumbered(name: "a")),
    Row("broken call id", ##"{"event":"a","cid":1.5}"##, .misnumbered(name: "a")),
    Row("huge call id", ##"{"event":"a","cid":1e300}"##, .misnumbered(name: "a")),
    Row("infinite call id", ##"{"event":"a","cid":1e999}"##, .misnumbered(name: "a")),
    Row("string answer id", ##"{"rid":"1"}"##, .garbage),
    Row("event that is no name", ##"{"event":1,"cid":1}"##, .garbage),
    Row(
      "error that is text", ##"{"rid":1,"error":"oh"}"##,
      .failure(rid: 1, SocketClusterError(name: "Error", message: "oh"))),
    Row(
      "error without members", ##"{"rid":1,"error":{}}"##,
      .failure(rid: 1, SocketClusterError(name: "Error", message: ""))),
    Row("object without members", "{}", .garbage),
    Row("scalar", "1", .garbage),
    Row("no JSON", "#3", .garbage),
    Row("Socket.IO", ##"42["log",{}]"##, .garbage),
    Row("cut off", ##"{"event":"a""##, .garbage),
    Row("space", " ", .garbage),
  ])
  func oddPacketsAreRead(row: Row) {
    #expect(SocketClusterPacket.parse(.text(row.text)) == row.packets)
  }

  @Test func bytesThatAreNotTextAreGarbage() {
    #expect(SocketClusterPacket.parse(.binary([0x22, 0xff, 0x22])) == [.garbage])
  }
}
