import SurfTransport
import TestSupport
import Testing

@Suite struct TimersTests {
  @Test func `the timers are those of the document`() {
    let rows = ProtocolDocument.shared.rows(section: "14")
    #expect(rows.map { Array($0.prefix(2)) } == Timers.table.map { [$0.name, $0.value.inTable] })
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
