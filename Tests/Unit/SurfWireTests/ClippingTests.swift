import SurfWire
import TestSupport
import Testing

@Suite struct ClippingTests {
  @Test(arguments: [
    ("", 0, ""), ("abc", 3, "abc"), ("abcd", 3, "abc"), ("abc", 0, ""),
    ("aé", 2, "a"), ("aé", 3, "aé"), ("日本語", 8, "日本"), ("日本語", 9, "日本語"),
    ("e\u{301}x", 2, ""), ("xe\u{301}y", 3, "x"), ("xe\u{301}y", 4, "xe\u{301}"),
    ("👩‍👩‍👧x", 18, "👩‍👩‍👧"), ("👩‍👩‍👧x", 17, ""), ("a👩‍👩‍👧", 10, "a"),
  ])
  func `text is cut between characters`(text: String, limit: Int, clipped: String) {
    #expect(text.clipped(toUTF8: limit) == clipped)
  }

  @Test func `names that are too long arrive cut`() throws {
    var heartbeat = Sample.heartbeat
    heartbeat.app = String(repeating: "x", count: 62) + "é"
    heartbeat.host = String(repeating: "é", count: 40)
    let decoded = try Datagram(decoding: Sample.datagram(.heartbeat(heartbeat)).encoded())
    heartbeat.app = String(repeating: "x", count: 62)
    heartbeat.host = String(repeating: "é", count: 31)
    #expect(decoded == Sample.datagram(.heartbeat(heartbeat)))
  }

  @Test func `a record with too long texts arrives with cut ones`() throws {
    let record = Record(
      sequence: 1, kind: .mark, name: String(repeating: "日", count: 2_000),
      source: String(repeating: "é", count: 300))
    let cut = Record(
      sequence: 1, kind: .mark, name: String(repeating: "日", count: Limits.nameSizeMax / 3),
      source: String(repeating: "é", count: Limits.sourceSizeMax / 2))
    #expect(try Record(decoding: record.encoded()) == cut)
  }

  @Test func `a type of which no character fits arrives as unknown`() throws {
    // One character, of a letter and forty accents.
    let type = "e" + String(repeating: "\u{301}", count: 40)
    let record = Record(
      sequence: 1, kind: .update, name: "x", payload: Content(type: type, bytes: [1]))
    let payload = try Record(decoding: record.encoded()).payload
    #expect(payload == Content(type: "application/octet-stream", bytes: [1]))
  }

  @Test func `a reason that is too long arrives cut`() throws {
    let long = Sample.outcome(.initial, .rejected(reason: String(repeating: "é", count: 600)))
    let cut = Sample.outcome(.initial, .rejected(reason: String(repeating: "é", count: 512)))
    #expect(try Datagram(decoding: long.encoded()) == cut)
  }
}
