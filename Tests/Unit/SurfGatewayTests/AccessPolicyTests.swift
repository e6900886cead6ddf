import Foundation
import SurfGateway
import SurfHTTP
import TestSupport
import Testing

@Suite("Who may talk to the gateway")
struct OriginPolicyTests {
  private let policy = OriginPolicy(hosts: ["lab"], origins: ["https://tools.example"])

  private func passes(host: String, origin: String? = nil) -> Bool {
    var headers: HTTPHeaders = ["Host": host]
    headers["Origin"] = origin
    return policy.rejectionReason(for: HTTPRequest(target: "/", headers: headers)) == nil
  }

  @Test(arguments: [
    "localhost", "localhost:8000", "LOCALHOST", "127.0.0.1:8000", "127.1.2.3", "[::1]:8000",
    "192.168.1.5:8000", "panel.localhost", "lab:8000",
  ])
  func aHostThatNobodyCanRebindPasses(host: String) {
    #expect(passes(host: host))
  }

  @Test(arguments: [
    "", "evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "lab.evil.example",
    "1.2.3", "1.2.3.4.5", "256.1.1.1",
  ])
  func aNameThatMayMeanAnyAddressDoesNot(host: String) {
    #expect(!passes(host: host))
  }

  @Test func aSecondOriginIsOneTooMany() {
    var headers: HTTPHeaders = ["Host": "localhost", "Origin": "http://localhost:3000"]
    headers.append("origin", "http://localhost:3000")
    #expect(policy.rejectionReason(for: HTTPRequest(target: "/", headers: headers)) != nil)
    #expect(!passes(host: "localhost", origin: "http://localhost http://evil.example"))
  }

  @Test(arguments: [
    "http://localhost:3000", "https://localhost", "http://127.0.0.1", "http://[::1]:9000",
    "chrome-extension://lmhkpmbekcpmknklioeibfkpmmfibljd", "moz-extension://x", "file://",
    "https://tools.example",
  ])
  func aPageOfOnesOwnPasses(origin: String) {
    #expect(passes(host: "localhost", origin: origin))
  }

  @Test(arguments: [
    "null", "https://evil.example", "http://localhost.evil.example", "http://tools.example",
    "http://192.168.1.5", "ftp://localhost", "", "http://127.0.0.1.evil.example",
  ])
  func aPageOfSomebodyElsesDoesNot(origin: String) {
    #expect(!passes(host: "localhost", origin: origin))
  }
}

@Suite("The gateway's limits")
struct GatewayLimitTests {
  @Test func areThoseOfTheDocument() throws {
    let file = repositoryRoot.appending(path: "Protocol.md")
    let document = try String(contentsOf: file, encoding: .utf8)
    let section = try #require(document.components(separatedBy: "### B.5 ").last)
    let rows = section.prefix(while: { $0 != "#" }).matches(
      of: #/\| ([a-z ]+?) \| ([\d,]+)( ms)? \|/#)
    let written = rows.map { row in
      "\(row.1) \(row.2.replacing(",", with: ""))"
    }
    #expect(written == GatewayLimits.table.map { "\($0.name) \($0.value)" })
  }
}
