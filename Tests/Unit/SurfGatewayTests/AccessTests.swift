import SurfGateway
import SurfStreams
import SurfWeb
import TestSupport
import Testing

/// What becomes of those who are let in, and of those who are not.
@Suite struct AccessTests {
  private let right = AccessPolicyTests.right
  private let lan = TCPAddress(.v4(0x0a00_0001), port: 9)

  private func bench(_ change: (inout GatewayConfiguration) -> Void = { _ in }) -> Bench {
    var configuration = GatewayConfiguration()
    configuration.token = AccessToken(parsing: right)
    configuration.servesInspectors = true
    change(&configuration)
    return Bench(configuration)
  }

  private func notes(of bench: Bench) -> [GatewayNote] {
    bench.takeRequests().compactMap { if case .note(let note) = $0 { note } else { nil } }
  }

  private func upgrade(_ path: String, _ protocols: [String] = []) -> HTTPRequest {
    var request = WebSocketHandshake.ClientHandshake(
      host: "desk.local", path: path, key: SIMD16(repeating: 1)
    ).request
    if !protocols.isEmpty {
      request.headers["Sec-WebSocket-Protocol"] = protocols.joined(separator: ", ")
    }
    return request
  }

  @Test(arguments: [
    "/socketcluster/", "/ws", "/", "/anything", "/socket.io/?EIO=4&transport=websocket",
  ])
  func `every WebSocket needs the token, and with it is opened`(path: String) throws {
    let bench = bench()
    #expect(try Visitor(bench, at: lan).ask(upgrade(path))?.status == 401)
    let mark = path.contains("?") ? "&" : "?"
    let visitor = Visitor(bench, at: lan)
    #expect(try visitor.ask(upgrade("\(path)\(mark)token=\(right)"))?.status == 101)
    #expect(!visitor.isOut)
  }

  @Test func `an open session of Socket.IO is nobody's without the token`() throws {
    let bench = bench()
    let path = "/socket.io/?EIO=4&transport=polling"
    let opened = try Visitor(bench, at: lan).ask(HTTPRequest(target: "\(path)&token=\(right)"))
    let body = String(decoding: try #require(opened).body, as: UTF8.self)
    let sid = try #require(body.firstMatch(of: #/"sid":"(\w+)"/#)?.1)
    for method in ["GET", "POST", "PUT"] {
      let request = HTTPRequest(method: method, target: "\(path)&sid=\(sid)")
      #expect(try Visitor(bench, at: lan).ask(request)?.status == 401)
    }
  }

  @Test func `a subprotocol is answered, and the token is not repeated if that can be`() throws {
    let bench = bench()
    let token = "statesurf.token.\(right)"
    for (offers, answer) in [
      (["statesurf", token], "statesurf"), ([token, "statesurf"], "statesurf"), ([token], token),
      (["chat", token], token),
    ] {
      let response = try Visitor(bench, at: lan).ask(upgrade("/ws", offers))
      #expect(response?.status == 101)
      #expect(response?.headers["Sec-WebSocket-Protocol"] == answer)
    }
    let plain = try Visitor(bench, at: lan).ask(upgrade("/ws?token=\(right)", ["chat"]))
    #expect(plain?.headers["Sec-WebSocket-Protocol"] == nil)
  }

  @Test func `a refusal says what to do, and closes`() throws {
    let bench = bench()
    let visitor = Visitor(bench, at: lan)
    let response = try #require(try visitor.ask(HTTPRequest(target: "/socket.io/")))
    #expect(response.status == 401)
    #expect(response.headers["WWW-Authenticate"] == #"Bearer realm="StateSurf""#)
    #expect(response.headers["Connection"] == "close")
    #expect(String(decoding: response.body, as: UTF8.self).contains("?token=TOKEN"))
    #expect(visitor.isOut)
    #expect(try visitor.ask(HTTPRequest(target: "/?token=\(right)")) == nil)
  }

  /// Requests of strangers. Only the heads have arrived so far.
  private static let heads: [(head: String, at: TCPAddress, status: Int)] = {
    let desk = TCPAddress(.v4(0x0a00_0001), port: 9)
    let sizes = [
      "Content-Length: 1000000", "Content-Length: 5000000", "Transfer-Encoding: chunked",
    ]
    let wrong = String(AccessPolicyTests.right.reversed())
    let paths = ["/socket.io/?EIO=4", "/", "/socket.io/?EIO=4&token=\(wrong)"]
    return sizes.flatMap { size in
      paths.map { ("POST \($0) HTTP/1.1\r\nHost: desk\r\n\(size)", desk, 401) } + [
        ("GET / HTTP/1.1\r\nHost: desk\r\n\(size)", desk, 401),
        ("POST / HTTP/1.1\r\nHost: desk\r\nOrigin: https://evil.example\r\n\(size)", desk, 403),
        ("POST / HTTP/1.1\r\nHost: evil.example\r\n\(size)", Bench.loopback, 403),
      ]
    }
  }()

  @Test(arguments: heads)
  func `a stranger is judged by the head, and the body is not read`(
    head: String, at address: TCPAddress, status: Int
  ) {
    let bench = bench()
    let visitor = Visitor(bench, at: address)
    bench.send(Array("\(head)\r\n\r".utf8), on: visitor.stream)
    #expect(bench.written[visitor.stream] == nil)
    bench.send([0x0a], on: visitor.stream)
    let answer = bench.written[visitor.stream, default: []]
    #expect(answer.starts(with: "HTTP/1.1 \(status) ".utf8))
    #expect(visitor.isOut)
    // Nor is it looked at: it would be bad HTTP.
    bench.send([UInt8](repeating: 0, count: 1_000_000), on: visitor.stream)
    #expect(bench.written[visitor.stream] == answer)
    #expect(bench.machine.drops["bad HTTP"] == nil)
  }

  @Test func `the body of one who is let in is awaited`() {
    let bench = bench()
    let visitor = Visitor(bench, at: lan)
    let head = "POST /x?token=\(right) HTTP/1.1\r\nHost: desk\r\nContent-Length: 4\r\n\r\n"
    bench.send(Array(head.utf8) + Array("abc".utf8), on: visitor.stream)
    #expect(bench.written[visitor.stream] == nil)
    bench.send(Array("d".utf8), on: visitor.stream)
    #expect(bench.written[visitor.stream, default: []].starts(with: "HTTP/1.1 404 ".utf8))
    #expect(!visitor.isOut)
  }

  @Test func `one who was let in is asked again at each request`() throws {
    let visitor = Visitor(bench(), at: lan)
    #expect(try visitor.ask(HTTPRequest(target: "/x?token=\(right)"))?.status == 404)
    #expect(try visitor.ask(HTTPRequest(target: "/x"))?.status == 401)
  }

  @Test func `no answer lets a browser tell where it came from, nor a stranger read a refusal`()
    throws
  {
    let bench = bench()
    let visitor = Visitor(bench, at: lan)
    for target in ["/", "/x?token=\(right)", "/x"] {
      let request = HTTPRequest(target: target, headers: ["Origin": "http://localhost:1"])
      let response = try #require(try visitor.ask(request))
      #expect(response.headers["Referrer-Policy"] == "no-referrer")
      #expect(response.headers["Access-Control-Allow-Origin"] == "http://localhost:1")
    }
    let other = Visitor(bench, at: lan)
    let good: HTTPHeaders = ["Origin": "http://localhost:1"]
    _ = try other.ask(HTTPRequest(target: "/?token=\(right)", headers: good))
    let bad = HTTPRequest(target: "/", headers: ["Origin": "http://evil.example"])
    let refused = try #require(try other.ask(bad))
    #expect(refused.status == 403)
    #expect(refused.headers["Access-Control-Allow-Origin"] == nil)
  }

  @Test func `the page knows no token, and leaves the browser's to the browser`() throws {
    let response = try #require(try Visitor(bench(), at: lan).ask(HTTPRequest(target: "/")))
    let page = String(decoding: response.body, as: UTF8.self)
    #expect(response.status == 200)
    #expect(page.contains("location.hash"))
    #expect(!page.contains(right))
    #expect(!page.contains("http://"))
  }

  @Test(arguments: ["/", "/x", "/x?token=\(AccessPolicyTests.right)"])
  func `HEAD has the head of GET, and no body`(target: String) throws {
    let answers = try ["GET", "HEAD"].map {
      try #require(try Visitor(bench(), at: lan).ask(HTTPRequest(method: $0, target: target)))
    }
    #expect(answers[0].headers == answers[1].headers && answers[0].status == answers[1].status)
    #expect(answers[0].headers["Content-Length"] == String(answers[1].body.count))
  }

  @Test func `nothing that is told has a token in it, right or wrong`() throws {
    let bench = bench()
    let wrong = String(right.reversed())
    var told: [String] = []
    for token in [right, wrong] {
      for (target, headers) in AccessPolicyTests.ways {
        var request = HTTPRequest(
          target: target.replacing(right, with: token),
          headers: upgrade("/").headers)
        for field in headers.fields {
          request.headers[field.name] = field.value.replacing(right, with: token)
        }
        let response = try Visitor(bench, at: lan).ask(request)
        told += [String(decoding: response?.body ?? [], as: UTF8.self)]
        bench.advance(by: .seconds(61))
      }
    }
    let notes = notes(of: bench)
    #expect(!notes.isEmpty)
    told += notes.flatMap { [$0.text, $0.json] } + bench.machine.drops.keys
    told += ["\(try #require(AccessToken(parsing: right)))"]
    for text in told {
      #expect(!text.lowercased().contains(right))
      #expect(!text.contains(wrong))
    }
  }

  @Test func `those who were turned away are told once a minute, and all are counted`() throws {
    let bench = bench()
    func refuse(_ count: Int) throws {
      for _ in 0..<count {
        let response = try Visitor(bench, at: lan).ask(HTTPRequest(target: "/x?token=1"))
        #expect(response?.status == 401)
      }
    }
    func counts() -> [Int] {
      notes(of: bench).compactMap { if case .turnedAway(_, let count) = $0 { count } else { nil } }
    }
    try refuse(1_000)
    #expect(counts() == [1])
    bench.advance(by: .seconds(59))
    #expect(counts() == [])
    let deadline = try #require(bench.machine.deadline)
    #expect(deadline <= .seconds(60))
    bench.advance(by: .seconds(1))
    #expect(counts() == [999])
    try refuse(3)
    #expect(counts() == [])
    bench.advance(by: .seconds(60))
    #expect(counts() == [3])
    bench.advance(by: .seconds(60))
    #expect(counts() == [])
    try refuse(1)
    #expect(counts() == [1])
    #expect(bench.machine.drops["turned away: wrong token"] == 1_004)
  }

  @Test func `strangers make room for one another, and those who were let in stay`() throws {
    let bench = bench()
    let guest = Visitor(bench, at: lan)
    #expect(try guest.ask(upgrade("/ws?token=\(right)"))?.status == 101)
    let strangers = (0..<180).map { number in
      let visitor = Visitor(bench, at: lan)
      // Some say nothing, some have the page, and some a wrong token.
      if number % 3 > 0 {
        let request = HTTPRequest(target: number % 3 > 1 ? "/" : "/x", headers: ["Host": "desk"])
        bench.send(request.encoded(), on: visitor.stream)
      }
      return visitor
    }
    bench.advance(by: .zero)
    #expect(!guest.isOut)
    // Every third was refused, and that made room enough.
    for (number, visitor) in strangers.enumerated() {
      #expect(visitor.isOut == (number % 3 == 1))
    }
    let silent = (0..<200).map { _ in Visitor(bench, at: lan) }
    bench.advance(by: .zero)
    for visitor in strangers { #expect(visitor.isOut) }
    for (number, visitor) in silent.enumerated() {
      #expect(visitor.isOut == (number < 200 - GatewayLimits.strangerCountMax))
    }
    #expect(!guest.isOut)
    let late = Visitor(bench, at: lan)
    #expect(try late.ask(upgrade("/ws?token=\(right)"))?.status == 101)
    #expect(!late.isOut)
  }
}
