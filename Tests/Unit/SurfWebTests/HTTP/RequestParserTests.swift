import SurfWeb
import Testing

@Suite("Requests")
struct RequestParserTests {
  @Test func haveTheirParts() throws {
    let bytes = wire("POST /a%20b?x=1&y HTTP/1.1", "Host: h:80", "content-length:3 ", body: "abc")
    let request = try #require(requests(in: [bytes]).messages.first)
    #expect(request.method == "POST")
    #expect(request.target == "/a%20b?x=1&y")
    #expect(request.path == "/a%20b")
    #expect(request.queryValue("x") == "1")
    #expect(request.version == .http11)
    #expect(request.headers["Content-Length"] == "3")
    #expect(request.body == Array("abc".utf8))
  }

  @Test(
    arguments: [
      ("FoodNoms/12 CFNetwork/1121.2.2 Darwin/19.3.0", "FoodNoms"), ("My%20App/1", "My App"),
      ("curl", "curl"), ("50%/1", "50%"), ("", nil), ("/1", nil), (" x", nil), (nil, nil),
    ] as [(String?, String?)])
  func `name the program that sent them`(agent: String?, product: String?) {
    var request = HTTPRequest(target: "/")
    request.headers["User-Agent"] = agent
    #expect(request.product == product)
  }

  @Test(arguments: [
    ("/", []), ("/?", []), ("/?a", ["a", ""]), ("/?a=b=c", ["a", "b=c"]),
    ("/?a=1&&b=2", ["a", "1", "b", "2"]), ("/?a+b=%2B%26", ["a b", "+&"]),
    ("/?q=%C3%BC", ["q", "ü"]), ("/?=v", ["", "v"]), ("/?a=?", ["a", "?"]),
  ])
  func haveADecodedQuery(target: String, items: [String]) {
    let request = HTTPRequest(target: target)
    #expect(request.query.flatMap { [$0.name, $0.value] } == items)
    #expect(request.path == "/")
  }

  @Test(arguments: [
    ("GET http://h/a?b HTTP/1.1", "/a"), ("GET HTTP://h?b HTTP/1.1", "/"),
    ("OPTIONS * HTTP/1.1", "*"),
  ])
  func comeInOtherForms(line: String, path: String) {
    let outcome = requests(in: [wire(line, "Host: h")])
    #expect(outcome.messages.map(\.path) == [path])
  }

  @Test(arguments: [
    ("3\r\nabc\r\n0\r\n\r\n", "abc"), ("0\r\n\r\n", ""),
    ("003;x=\"y\"\r\nabc\r\n0;z\r\n\r\n", "abc"),
    ("1\r\na\r\nA\r\n0123456789\r\n0\r\n\r\n", "a0123456789"),
    ("2\r\n\r\n\r\n0\r\nTrailer: gone\r\nB: c\r\n\r\n", "\r\n"),
  ])
  func haveChunkedBodies(chunks: String, body: String) {
    let head = wire("POST / HTTP/1.1", "Host: h", "Transfer-Encoding: Chunked")
    let next = wire("GET /next HTTP/1.1", "Host: h")
    let outcome = requests(in: [head + Array(chunks.utf8) + next])
    #expect(outcome.error == nil)
    #expect(outcome.messages.map { String(decoding: $0.body, as: UTF8.self) } == [body, ""])
    #expect(outcome.messages.last?.path == "/next")
    #expect(outcome.messages.first?.headers["Trailer"] == nil)
  }

  @Test func leaveWhatFollowsAnUpgrade() throws {
    var parser = HTTPRequestParser()
    try parser.receive(wire("GET /1 HTTP/1.1", "Host: h", "Upgrade: x", body: "\u{1}\n frames"))
    #expect(try parser.next()?.path == "/1")
    try parser.receive([0xff])
    #expect(parser.takeRemaining() == Array("\u{1}\n frames".utf8) + [0xff])
    #expect(parser.takeRemaining().isEmpty)
  }

  @Test func mayFollowOneEmptyLine() {
    let request = wire("GET / HTTP/1.1", "Host: h")
    #expect(requests(in: [Array("\r\n".utf8) + request]).messages.count == 1)
    #expect(requests(in: [Array("\r\n\r\n".utf8) + request]).error == .malformedRequestLine)
  }

  @Test func mayComeWithoutHostInTheOldVersion() {
    #expect(requests(in: [wire("GET / HTTP/1.0")]).messages.map(\.version) == [.http10])
  }

  @Test(arguments: ["Content-Length: 1000000", "Transfer-Encoding: chunked"])
  func `are told by their head before anything of the body is read`(framing: String) throws {
    var parser = HTTPRequestParser(limits: HTTPLimits(bodyBytes: 10))
    let head = wire("POST /1 HTTP/1.1", "Host: h", framing)
    try parser.receive(head.dropLast())
    #expect(try parser.nextHead() == nil)
    try parser.receive([head.last!] + [0, 0, 0])
    for _ in 1...2 { #expect(try parser.nextHead()?.path == "/1") }
    #expect(try parser.nextHead()?.body == [])
    #expect(throws: HTTPError.self) { try parser.next() }
    #expect(throws: HTTPError.self) { try parser.nextHead() }
  }

  @Test func `have heads one after the other`() throws {
    var parser = HTTPRequestParser()
    let next = wire("GET /2 HTTP/1.1", "Host: h")
    try parser.receive(wire("POST /1 HTTP/1.1", "Host: h", "Content-Length: 4", body: "ab"))
    #expect(try parser.nextHead()?.path == "/1")
    #expect(try parser.next() == nil)
    #expect(try parser.nextHead() == nil)
    try parser.receive(Array("cd".utf8) + next)
    #expect(try parser.nextHead() == nil)
    #expect(try parser.next()?.body == Array("abcd".utf8))
    #expect(try parser.nextHead()?.path == "/2")
    #expect(try parser.next()?.path == "/2")
    #expect(try parser.nextHead() == nil)
  }

  @Test func throwTheSameErrorForGood() throws {
    var parser = HTTPRequestParser()
    try parser.receive(Array("GET\n".utf8))
    #expect(throws: HTTPError.bareLineEnding) { try parser.next() }
    #expect(throws: HTTPError.bareLineEnding) { try parser.next() }
    #expect(throws: HTTPError.bareLineEnding) { try parser.receive([]) }
  }
}
