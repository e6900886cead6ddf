import SurfWire
import TestSupport
import Testing

@Suite struct ValueTableTests {
  @Test(arguments: UInt64(0)..<100)
  func `it does what a plain list of names does`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var table = ValueTable<Int>()
    var model: [[UInt8]: (record: SequenceNumber, value: Int)] = [:]
    for step in 0..<300 {
      let name = Self.name(&random)
      let bytes = Array(name.utf8)
      // Now and then a record from before.
      let record = SequenceNumber(UInt64(max(1, step - Int.random(in: 0...5, using: &random))))
      switch Int.random(in: 0..<8, using: &random) {
      case 0...4:
        table.set(ValueName(name), to: step, by: record)
        if model[bytes].map({ $0.record < record }) ?? true { model[bytes] = (record, step) }
      case 5:
        table.take(ValueName(name))
        model[bytes] = nil
      default:
        table.remove(ValueName(name), by: record)
        model = model.filter { key, entry in
          entry.record >= record || !(key == bytes || key.starts(with: bytes + [0x2F]))
        }
      }
      #expect(table.names.map(\.bytes) == model.keys.sorted { $0.lexicographicallyPrecedes($1) })
      #expect(table.names.allSatisfy { table[$0]?.value == model[$0.bytes]?.value })
    }
  }

  @Test func `texts that Unicode holds equal are two names`() {
    var table = ValueTable<Int>()
    table.set(ValueName("\u{E9}"), to: 1, by: 1)
    table.set(ValueName("e\u{301}"), to: 2, by: 2)
    #expect(table.count == 2)
    table.remove(ValueName("\u{E9}"), by: 3)
    #expect(table.names.map(\.text) == ["e\u{301}"])
  }

  @Test func `a name lies below its path, and not below what it only begins like`() {
    let name = ValueName("screen/row/1")
    #expect(
      ["screen/row/1", "screen/row", "screen"].allSatisfy { name.isOrIsBelow(ValueName($0)) })
    #expect(
      !["", "scr", "screen/ro", "screen/row/1/x"].contains { name.isOrIsBelow(ValueName($0)) })
  }

  private static func name(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 1...3, using: &random)).map { _ in
      ["a", "b", "a-", "a0", "", "é"].randomElement(using: &random) ?? ""
    }.joined(separator: "/")
  }
}
