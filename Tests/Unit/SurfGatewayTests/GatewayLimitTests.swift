import Foundation
import TestSupport
import Testing

@Suite("The gateway's limits")
struct GatewayLimitTests {
  @Test func areThoseOfTheDocument() throws {
    let file = repositoryRoot.appending(path: "Sources/Relay.md")
    let document = try String(contentsOf: file, encoding: .utf8)
    let section = try #require(document.components(separatedBy: "\n## Limits\n").dropFirst().first)
    let limits = section.prefix(while: { $0 != "#" }).matches(of: #/`([a-z ]+)` ([\d,]+)/#)
    let written = Dictionary(
      uniqueKeysWithValues: limits.map { (String($0.1), Int($0.2.filter(\.isNumber))) })
    var declared = declaredNumbers(in: "Sources/Features/SurfGateway/GatewayConfiguration.swift")
    let inspector = "Sources/Machines/SurfRelay/RemoteInspector/InspectorMessage.swift"
    for (name, value) in declaredNumbers(in: inspector) { declared["inspector \(name)"] = value }
    // The document has these two in its text.
    for name in ["trim pause", "move pause"] { declared[name] = nil }
    #expect(written == declared)
  }
}
