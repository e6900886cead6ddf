import SurfGateway
import SurfStreams
import SurfWeb
import TestSupport
import Testing

/// Random requests on random streams, and what a model of a few lines says of each.
@Suite struct AccessSequenceTests {
  /// A request in parts, each marked as good or bad.
  private struct Attempt {
    static let hosts: [(String?, Bool)] = [
      (nil, false), ("localhost:9", true), ("127.0.0.1:9", true), ("localhost", false),
      ("localhost:8", false), ("evil.example:9", false), ("lab", true), ("10.0.0.1:9", false),
    ]
    static let origins: [(String, Bool)] = [
      ("http://localhost:1", true), ("file://", true), ("null", false), ("http://evil.x", false),
    ]
    static let tokens: [(query: String?, header: String?, isRight: Bool?)] = [
      (nil, nil, nil), ("", nil, false), ("\(AccessPolicyTests.right)", nil, true),
      (nil, "Bearer \(AccessPolicyTests.right)", true), (nil, "Bearer x", false),
      ("1", "Bearer \(AccessPolicyTests.right)", true), (nil, "Basic x", nil),
    ]
    let host: (String?, Bool)
    let origins: [(String, Bool)]
    let token: (query: String?, header: String?, isRight: Bool?)
    let path: String
    let method: String

    init(_ random: inout SeededGenerator) {
      host = Self.hosts.randomElement(using: &random) ?? (nil, false)
      let count = [0, 0, 0, 1, 1, 2].randomElement(using: &random) ?? 0
      origins = (0..<count).compactMap { _ in Self.origins.randomElement(using: &random) }
      token = Self.tokens.randomElement(using: &random) ?? (nil, nil, nil)
      path = ["/", "/x", "/socket.io/"].randomElement(using: &random) ?? "/"
      method = ["GET", "HEAD", "POST"].randomElement(using: &random) ?? "GET"
    }

    var request: HTTPRequest {
      var headers = HTTPHeaders()
      headers["Host"] = host.0
      for (origin, _) in origins { headers.append("Origin", origin) }
      headers["Authorization"] = token.header
      let query = token.query.map { "?token=\($0)" } ?? ""
      return HTTPRequest(
        method: method, target: path + query, version: host.0 == nil ? .http10 : .http11,
        headers: headers)
    }

    /// Nil for requests that pass the gate.
    func refusal(needsToken: Bool) -> Int? {
      if origins.count > 1 || origins.contains(where: { !$0.1 }) { return 403 }
      guard needsToken else { return host.1 ? nil : 403 }
      if token.isRight == true { return nil }
      return path == "/" && method != "POST" ? nil : 401
    }
  }

  @Test(arguments: 0..<20)
  func `who gets past the gate is as the model says`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var configuration = GatewayConfiguration()
    configuration.hosts = ["lab"]
    configuration.token = AccessToken(parsing: AccessPolicyTests.right)
    configuration.tokenRule =
      [.whereOthersReach, .everywhere, .nowhere].randomElement(using: &random) ?? .everywhere
    configuration.holdsKey = Bool.random(using: &random)
    let bench = Bench(configuration)
    let addresses = [Bench.loopback, TCPAddress(.v4(0x0a00_0001), port: 9)]
    var visitors: [(visitor: Visitor, address: TCPAddress)] = []
    var refused = 0
    for _ in 0..<400 {
      if visitors.count < 4, let address = addresses.randomElement(using: &random) {
        visitors.append((Visitor(bench, at: address), address))
      }
      let index = Int.random(in: visitors.indices, using: &random)
      let (visitor, address) = visitors[index]
      let attempt = Attempt(&random)
      let response = try #require(try visitor.ask(attempt.request))
      let wanted = attempt.refusal(needsToken: configuration.needsToken(at: address))
      if let wanted {
        refused += 1
        #expect(response.status == wanted, "\(attempt)")
        #expect(visitor.isOut)
      } else {
        let isRefusal = [401, 403].contains(response.status)
        #expect(!isRefusal, "\(attempt)")
        #expect(!visitor.isOut)
      }
      if visitor.isOut || Int.random(in: 0..<8, using: &random) == 0 {
        bench.machine.receive(.closed(visitor.stream, .byPeer), at: bench.now)
        visitors.remove(at: index)
      }
    }
    let drops = bench.machine.drops.filter { $0.key.hasPrefix("turned away") }
    #expect(drops.values.reduce(0, +) == refused)
    #expect(refused > 50)
  }
}
