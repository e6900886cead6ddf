import Foundation
import SurfGateway
import TestSupport
import Testing

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
