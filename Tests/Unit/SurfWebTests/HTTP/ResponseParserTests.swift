import SurfWeb
import Testing

@Suite("Responses")
struct ResponseParserTests {
  @Test func haveTheirParts() {
    let bytes = wire("HTTP/1.1 404 Not There", "A: b", "Content-Length: 2", body: "hi")
    let response = HTTPResponse(
      status: 404, reason: "Not There", headers: ["A": "b", "Content-Length": "2"],
      body: Array("hi".utf8))
    #expect(responses(in: [bytes]) == Outcome(messages: [response]))
  }

  @Test(arguments: [100, 103, 199, 204, 304])
  func haveNoBodyByStatus(status: Int) {
    let first = wire("HTTP/1.1 \(status) X", "Content-Length: 5")
    let outcome = responses(in: [first + wire("HTTP/1.1 200", "Content-Length: 0")])
    #expect(outcome.error == nil)
    #expect(outcome.messages.map(\.status) == [status, 200])
  }

  @Test func leaveWhatFollowsAnUpgrade() throws {
    var parser = HTTPResponseParser()
    try parser.receive(wire("HTTP/1.1 101 X", "Upgrade: websocket", body: "\u{1}frames"))
    #expect(try parser.next()?.status == 101)
    #expect(try parser.next() == nil)
    #expect(parser.takeRemaining() == Array("\u{1}frames".utf8))
  }

  @Test(arguments: [
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabcd",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n",
    "HTTP/1.1 200 OK\r\n", "HTTP", "HTTP/1.0 200 OK\r\n\r\nto the end of the connection",
  ])
  func waitForTheirEnd(text: String) {
    #expect(responses(in: [Array(text.utf8)]) == Outcome())
  }

  @Test(arguments: [
    ("HTTP/1.1 99 X", HTTPError.malformedStatusLine), ("HTTP/1.1 600 X", .malformedStatusLine),
    ("HTTP/1.1 2OO X", .malformedStatusLine), ("HTTP/1.1  200 X", .malformedStatusLine),
    ("ICY 200 OK", .malformedStatusLine), ("HTTP/1.1", .malformedStatusLine),
    ("HTTP/2.0 200 OK", .unsupportedVersion),
    ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked", .badTransferEncoding),
    ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2", .badContentLength),
    ("HTTP/1.1 200 OK\r\nA: b\r\n c", .malformedHeader),
    ("HTTP/1.1 200 OK\r\nContent-Length: 1048577", .bodyTooLarge),
  ])
  func areRefused(head: String, error: HTTPError) {
    #expect(responses(in: [wire(head)]) == Outcome(error: error))
  }

  @Test func areBoundedUntilTheConnectionEnds() {
    let head = wire("HTTP/1.1 200 OK")
    let half = [UInt8](repeating: 0, count: 600_000)
    #expect(responses(in: [head, half]).error == nil)
    #expect(responses(in: [head, half, half]).error == .bodyTooLarge)
  }
}
