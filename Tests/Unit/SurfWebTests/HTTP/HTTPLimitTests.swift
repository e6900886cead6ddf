import SurfWeb
import Testing

@Suite("Limits")
struct HTTPLimitTests {
  private static let limits: HTTPLimits = {
    var limits = HTTPLimits(bodyBytes: 10)
    limits.requestLineBytes = 40
    limits.headBytes = 200
    limits.headerCount = 3
    return limits
  }()

  /// The errors for the request as a whole and byte by byte.
  private static func error(_ bytes: [UInt8]) -> [HTTPError?] {
    [
      requests(in: [bytes], limits: limits).error,
      requests(in: bytes.map { [$0] }, limits: limits).error,
    ]
  }

  @Test(arguments: [(0, nil), (1, HTTPError.targetTooLong)])
  func boundTheRequestLine(excess: Int, error: HTTPError?) {
    let path = String(repeating: "a", count: 40 - 16 + excess)
    #expect(Self.error(wire("GET /\(path) HTTP/1.1", "Host: h")) == [error, error])
  }

  @Test(arguments: [(0, nil), (1, HTTPError.headTooLarge)])
  func boundTheHead(excess: Int, error: HTTPError?) {
    let value = String(repeating: "a", count: 200 - 16 - 9 - 2 - 5 + excess)
    let bytes = wire("GET / HTTP/1.1", "Host: h", "A: \(value)")
    #expect(bytes.count == 200 + excess)
    #expect(Self.error(bytes) == [error, error])
  }

  @Test(arguments: [(0, nil), (1, HTTPError.headTooLarge)])
  func boundTheFields(excess: Int, error: HTTPError?) {
    let fields = Array(repeating: "A: b\r\n", count: 2 + excess).joined()
    let bytes = Array("GET / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n".utf8)
    #expect(Self.error(bytes) == [error, error])
  }

  @Test(arguments: [(0, nil), (1, HTTPError.bodyTooLarge)])
  func boundTheBody(excess: Int, error: HTTPError?) {
    let body = String(repeating: "b", count: 10 + excess)
    let plain = wire(
      "POST / HTTP/1.1", "Host: h", "Content-Length: \(10 + excess)", body: body)
    #expect(Self.error(plain) == [error, error])
    let chunks = body.map { "1\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
    let chunked = wire("POST / HTTP/1.1", "Host: h", "Transfer-Encoding: chunked", body: chunks)
    #expect(Self.error(chunked) == [error, error])
  }

  @Test(arguments: [(0, nil), (1, HTTPError.headTooLarge)])
  func boundTheTrailer(excess: Int, error: HTTPError?) {
    let fields = Array(repeating: "A: b\r\n", count: 3 + excess).joined()
    let bytes = wire(
      "POST / HTTP/1.1", "Host: h", "Transfer-Encoding: chunked", body: "0\r\n\(fields)\r\n")
    #expect(Self.error(bytes) == [error, error])
  }

  @Test func refuseALineThatNeverEnds() {
    let endless = [UInt8](repeating: 0x61, count: 1000)
    #expect(Self.error(endless) == [.targetTooLong, .targetTooLong])
  }

  @Test func boundWhatWaits() throws {
    var parser = HTTPRequestParser(limits: Self.limits)
    try parser.receive([UInt8](repeating: 0x61, count: 211))
    #expect(throws: HTTPError.bodyTooLarge) { try parser.receive([0x61]) }
  }

  /// Copying all that came before with each piece would cost hundreds of times as much.
  @Test(arguments: ["Content-Length:", "Transfer-Encoding: chunked"])
  func letPiecesCostNoMoreBehindAlreadyMuch(field: String) throws {
    let alone = try Self.timeOfPieces(behind: 0, field)
    #expect(try Self.timeOfPieces(behind: 4_000_000, field) < alone * 50)
  }

  /// How long 20,000 octets take that come one by one, after `many` in one piece.
  private static func timeOfPieces(behind many: Int, _ field: String) throws -> Duration {
    var parser = HTTPRequestParser(limits: HTTPLimits(bodyBytes: 5_000_000))
    let isChunked = field.hasPrefix("T")
    let start = isChunked ? Array("\(String(many + 20_000, radix: 16))\r\n".utf8) : []
    try parser.receive(
      wire("POST / HTTP/1.1", "Host: h", isChunked ? field : "\(field) \(many + 20_000)") + start)
    try parser.receive([UInt8](repeating: 0x0a, count: many))
    #expect(try parser.next() == nil)
    var early = 0
    let duration = try ContinuousClock().measure {
      for index in 1...20_000 {
        try parser.receive([0x0a])
        if try index < 20_000 && parser.next() != nil { early += 1 }
      }
    }
    #expect(early == 0)
    if isChunked { try parser.receive(Array("\r\n0\r\n\r\n".utf8)) }
    #expect(try parser.next()?.body.count == many + 20_000)
    return duration
  }
}
