import SurfGateway
import SurfObserver
import SurfRelay
import SurfStreams
import SurfWeb
import Testing

/// The rules that admit clients to the gateway.
@Suite struct AccessPolicyTests {
  static let right = "0123456789abcdef0123456789abcdef"
  static let loopback = TCPAddress(.v4(0x7f00_0001), port: 8_000)
  static let lan = TCPAddress(.v4(0x0a00_0001), port: 8_000)

  private static func policy(_ change: (inout GatewayConfiguration) -> Void = { _ in })
    -> AccessPolicy
  {
    var configuration = GatewayConfiguration()
    configuration.hosts = ["lab"]
    configuration.origins = ["https://tools.example"]
    configuration.token = AccessToken(parsing: right)
    change(&configuration)
    return AccessPolicy(configuration)
  }

  private func verdict(
    _ headers: HTTPHeaders, target: String = "/x", method: String = "GET",
    at address: TCPAddress = loopback, by policy: AccessPolicy = policy()
  ) -> AccessPolicy.Verdict {
    policy.verdict(on: HTTPRequest(method: method, target: target, headers: headers), at: address)
  }

  // MARK: Hosts and origins

  @Test(arguments: [
    "localhost:8000", "LocalHost:8000", "127.0.0.1:8000", "127.1.2.3:8000", "[::1]:8000",
    "lab", "lab:8000", "LAB:9",
  ])
  func `on loopback our own names and port are good, and allowed names`(host: String) {
    #expect(verdict(["Host": host]) == .admitted)
  }

  @Test(arguments: [
    "", "localhost", "localhost:80", "localhost:8001", "localhost:+8000", "localhost:8000:8000",
    "127.0.0.1", "[::1]", "::1:8000", "[::1]x:8000", "evil.example:8000", "panel.localhost:8000",
    "localhost.evil.example:8000", "127.0.0.1.evil.example:8000", "lab.evil.example:8000",
    "192.168.1.5:8000", "1.2.3:8000", "256.1.1.1:8000", "localhost.:8000", "xlab",
  ])
  func `any other name or port is refused`(host: String) {
    #expect(verdict(["Host": host]) == .refused(.host(host)))
  }

  @Test func `a client without a Host is refused`() {
    let wanted = AccessPolicy.Verdict.refused(.host(""))
    #expect(verdict([:]) == wanted)
  }

  @Test func `at HTTP's own port a client need not name it`() {
    let address = TCPAddress(.v4(0x7f00_0001), port: 80)
    #expect(verdict(["Host": "localhost"], at: address) == .admitted)
    #expect(verdict(["Host": "localhost:80"], at: address) == .admitted)
  }

  @Test(arguments: [
    "http://localhost:3000", "https://localhost", "http://127.0.0.1", "http://[::1]:9000",
    "chrome-extension://lmhkpmbekcpmknklioeibfkpmmfibljd", "moz-extension://x", "file://",
    "https://tools.example",
  ])
  func `a page of one's own is good`(origin: String) {
    #expect(verdict(["Host": "localhost:8000", "Origin": origin]) == .admitted)
  }

  @Test(arguments: [
    "null", "https://evil.example", "http://localhost.evil.example", "http://tools.example",
    "http://192.168.1.5", "ftp://localhost", "", "http://127.0.0.1.evil.example",
    "http://[::1]x.example", "http://panel.localhost", "http://localhost http://evil.example",
  ])
  func `a page of somebody else is refused, with the token, too`(origin: String) {
    let headers: HTTPHeaders = ["Host": "localhost:8000", "Origin": origin]
    let wanted = AccessPolicy.Verdict.refused(.origin(origin))
    #expect(verdict(headers) == wanted)
    #expect(verdict(headers, target: "/x?token=\(Self.right)", at: Self.lan) == wanted)
    #expect(verdict(headers, target: "/", at: Self.lan) == wanted)
  }

  @Test func `a second Origin is one too many`() {
    var headers: HTTPHeaders = ["Host": "localhost:8000", "Origin": "http://localhost:3000"]
    headers.append("origin", "http://localhost:3000")
    let wanted = AccessPolicy.Verdict.refused(.origins)
    #expect(verdict(headers) == wanted)
    #expect(verdict(headers, target: "/x?token=\(Self.right)", at: Self.lan) == wanted)
  }

  // MARK: Tokens

  static let ways: [(String, HTTPHeaders)] = [
    ("/x?token=\(right)", [:]), ("/x?a=b&token=\(right)&c", [:]),
    ("/socketcluster/?token=\(right)&:8000/socketcluster/", [:]),
    ("/x?token=wrong&token=\(right)", [:]), ("/x?token=\(right.uppercased())", [:]),
    ("/x", ["Authorization": "Bearer \(right)"]), ("/x", ["authorization": "bearer \(right)"]),
    ("/x", ["Sec-WebSocket-Protocol": "statesurf.token.\(right)"]),
    ("/x", ["Sec-WebSocket-Protocol": "statesurf, statesurf.token.\(right)"]),
  ]

  @Test(arguments: ways)
  func `who shows the token is let in by whatever name`(target: String, headers: HTTPHeaders) {
    for host in ["10.0.0.1:8000", "desk.local", "evil.example"] {
      var headers = headers
      headers["Host"] = host
      #expect(verdict(headers, target: target, at: Self.lan) == .admitted)
    }
  }

  static let wrong: [(String, HTTPHeaders)] = [
    ("/x?token=", [:]), ("/x?token=\(right)0", [:]), ("/x?token=\(right.dropLast())", [:]),
    ("/x?token=%20\(right)", [:]), ("/x?token=\(right),\(right)", [:]),
    ("/x", ["Authorization": "Bearer  \(right)"]), ("/x", ["Authorization": "Bearer "]),
    ("/x", ["Sec-WebSocket-Protocol": "statesurf.token."]),
    ("/x", ["Sec-WebSocket-Protocol": "statesurf.token.\(right.replacing("0", with: "g"))"]),
  ]

  @Test(arguments: wrong)
  func `what is not quite the token is wrong`(target: String, headers: HTTPHeaders) {
    let wanted = AccessPolicy.Verdict.refused(.wrongToken)
    #expect(verdict(headers, target: target, at: Self.lan) == wanted)
  }

  @Test func `a token with any one digit changed is wrong`() {
    let wanted = AccessPolicy.Verdict.refused(.wrongToken)
    for index in Self.right.indices {
      var text = Self.right
      text.replaceSubrange(index...index, with: text[index] == "7" ? "8" : "7")
      #expect(verdict([:], target: "/x?token=\(text)", at: Self.lan) == wanted)
    }
  }

  static let none: [(String, HTTPHeaders)] = [
    ("/x", [:]), ("/x?Token=\(right)", [:]), ("/x?tokens=\(right)", [:]), ("/\(right)", [:]),
    ("/x", ["Authorization": "Basic \(right)"]), ("/x", ["Authorization": right]),
    ("/x", ["Sec-WebSocket-Protocol": right]), ("/x", ["Cookie": "token=\(right)"]),
    ("/x", ["X-Token": right]),
  ]

  @Test(arguments: none)
  func `elsewhere in a request it is no token`(target: String, headers: HTTPHeaders) {
    let wanted = AccessPolicy.Verdict.refused(.noToken)
    #expect(verdict(headers, target: target, at: Self.lan) == wanted)
  }

  @Test func `without a token of its own a gateway lets nobody in from elsewhere`() {
    let policy = Self.policy { $0.token = nil }
    let wanted = AccessPolicy.Verdict.refused(.wrongToken)
    for target in ["/x?token=", "/x?token=\(Self.right)"] {
      #expect(verdict([:], target: target, at: Self.lan, by: policy) == wanted)
    }
  }

  @Test func `the page is for all, and nothing else at its path`() {
    for method in ["GET", "HEAD"] {
      #expect(verdict([:], target: "/", method: method, at: Self.lan) == .page)
    }
    let wanted = AccessPolicy.Verdict.refused(.noToken)
    #expect(verdict([:], target: "/", method: "POST", at: Self.lan) == wanted)
    let upgrade: HTTPHeaders = ["Connection": "Upgrade", "Upgrade": "WebSocket"]
    #expect(verdict(upgrade, target: "/", at: Self.lan) == wanted)
    #expect(verdict([:], target: "/socket.io/", at: Self.lan) == wanted)
  }

  // MARK: Where one is needed

  @Test(arguments: [
    (TokenRule.whereOthersReach, false, false, true), (.whereOthersReach, true, true, true),
    (.everywhere, false, true, true), (.nowhere, true, false, false),
  ])
  func `a token is needed`(rule: TokenRule, holdsKey: Bool, onLoopback: Bool, elsewhere: Bool) {
    var configuration = GatewayConfiguration()
    (configuration.tokenRule, configuration.holdsKey) = (rule, holdsKey)
    let isNeeded = [
      Self.loopback, TCPAddress(.v6(IPv6Address(high: 0, low: 1)), port: 1),
      TCPAddress(.v4(0x7f01_0203), port: 1),
    ].map { configuration.needsToken(at: $0) }
    #expect(isNeeded == [onLoopback, onLoopback, onLoopback])
    // The last one is every address of the machine, loopback among them.
    for address in [Self.lan, TCPAddress(.v4(0), port: 8_000)] {
      #expect(configuration.needsToken(at: address) == elsewhere)
    }
  }

  @Test func `a gateway that would lay everything open does not begin`() {
    var configuration = GatewayConfiguration()
    configuration.listen = [TCPAddress(.v4(0), port: 0)]
    configuration.tokenRule = .nowhere
    do throws(GatewayError) {
      let network = Observer.Configuration()
      let gateway = try Gateway(configuration: configuration, network: network) { _ in }
      gateway.stop()
      Issue.record("it began")
    } catch {
      guard case .hazard(.noToken) = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test func `others are served without a token by nobody, and with a key only if told twice`() {
    var configuration = GatewayConfiguration()
    configuration.listen = [Self.loopback, Self.lan]
    #expect(configuration.hazard == nil)
    configuration.holdsKey = true
    let key = GatewayHazard.key(Self.lan)
    #expect(configuration.hazard == key)
    configuration.servesOthersWithKey = true
    #expect(configuration.hazard == nil)
    configuration.tokenRule = .nowhere
    let noToken = GatewayHazard.noToken(Self.lan)
    #expect(configuration.hazard == noToken)
    configuration.listen = [Self.loopback]
    #expect(configuration.hazard == nil)
  }

  @Test func `with a key no other machine is dialled, unless that is told twice`() throws {
    var configuration = GatewayConfiguration()
    configuration.holdsKey = true
    let near = ["ws://localhost", "ws://LOCALHOST:9", "ws://127.1.2.3:9", "socketio://[::1]:9"]
    configuration.relays = try near.map { try #require(RelayAddress(parsing: $0)) }
    #expect(configuration.hazard == nil)
    for text in ["ws://desk", "ws://10.0.0.1:8000", "ws://localhost.example", "ws://0.0.0.0"] {
      let relay = try #require(RelayAddress(parsing: text))
      var far = configuration
      far.relays.append(relay)
      let wanted = GatewayHazard.relay(relay)
      #expect(far.hazard == wanted)
      far.servesOthersWithKey = true
      #expect(far.hazard == nil)
      (far.servesOthersWithKey, far.holdsKey) = (false, false)
      #expect(far.hazard == nil)
    }
    let any = GatewayHazard.anyRelay
    for search in [RelaySearch.all, .named("desk")] {
      configuration.search = search
      #expect(configuration.hazard == any)
    }
  }

  @Test func `whoever says that it is a relay is not shown the token`() throws {
    var configuration = GatewayConfiguration()
    let token = try AccessToken.random()
    configuration.relayToken = token
    for search in [RelaySearch.none, .all] {
      configuration.search = search
      #expect(configuration.foundRelayToken == nil)
    }
    configuration.search = .named("desk")
    #expect(configuration.foundRelayToken?.text == token.text)
  }
}
