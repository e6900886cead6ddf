import Foundation
import SurfGateway
import TestSupport
import Testing

@Suite("The gateway's limits")
struct GatewayLimitTests {
  @Test func areThoseOfTheDocument() throws {
    let file = repositoryRoot.appending(path: "Sources/Relay.md")
    let document = try String(contentsOf: file, encoding: .utf8)
    let section = try #require(document.components(separatedBy: "\n## Limits\n").dropFirst().first)
    let limits = section.prefix(while: { $0 != "#" }).matches(of: #/`([a-z ]+)` ([\d,]+)/#)
    let written = limits.map { "\($0.1) \($0.2.filter(\.isNumber))" }
    #expect(written == GatewayLimits.table.map { "\($0.name) \($0.value)" })
  }
}
