import Foundation
import SurfTransport
import TestSupport
import Testing

@Suite struct TimersTests {
  @Test func `the timers are those of the document`() throws {
    let url = repositoryRoot.appending(path: "Protocol.md")
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    let section = lines.drop { !$0.hasPrefix("## 14. ") }.dropFirst().prefix {
      !$0.hasPrefix("## ")
    }
    let rows = section.filter { $0.hasPrefix("|") }.dropFirst(2).map { row in
      row.split(separator: "|").prefix(2).map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(rows == Timers.table.map { [$0.name, $0.value.inTable] })
  }
}

extension Duration {
  /// "2,600 ms"
  fileprivate var inTable: String {
    var digits = String(Int64(self / .milliseconds(1)))
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return ([digits] + groups).joined(separator: ",") + " ms"
  }
}
