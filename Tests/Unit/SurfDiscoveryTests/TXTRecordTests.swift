import SurfDiscovery
import TestSupport
import Testing

struct TXTRecordTests {
  func bytes(_ entries: String...) -> [UInt8] {
    entries.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
  }

  @Test func entriesKeepTheirOrder() throws {
    var record = TXTRecord()
    try record.append("v", "1")
    try record.append("app", "To=do")
    #expect(record.encoded == bytes("v=1", "app=To=do"))
    #expect(try TXTRecord(decoding: record.encoded) == record)
    #expect(record["app"] == "To=do")
  }

  @Test func anEmptyRecordIsOneZeroByte() throws {
    #expect(TXTRecord().encoded == [0])
    #expect(try TXTRecord(decoding: [0]) == TXTRecord())
    #expect(try TXTRecord(decoding: []) == TXTRecord())
  }

  @Test func theFirstOfAKeyWinsWhateverItsCase() throws {
    let record = try TXTRecord(decoding: bytes("app=one", "APP=two"))
    #expect(record["App"] == "one")
    #expect(record.entries.count == 1)
  }

  @Test func entriesWithoutAKeyAreIgnored() throws {
    let record = try TXTRecord(decoding: bytes("=value", "", "k\u{7}=1", "flag", "empty="))
    #expect(record.entries.map(\.key) == ["flag", "empty"])
    #expect(record["flag"] == nil)
    #expect(record["empty"] == "")
  }

  @Test func invalidTextIsNoValue() throws {
    #expect(try TXTRecord(decoding: [3, 0x6B, 0x3D, 0xFF])["k"] == nil)
  }

  @Test func aLengthBeyondTheEndIsRefused() {
    #expect(throws: TXTRecordError.truncated(needed: 5, available: 2)) {
      try TXTRecord(decoding: [5, 0x61, 0x3D])
    }
  }

  @Test func limitsAreExact() throws {
    var record = TXTRecord()
    try record.append("k", String(repeating: "x", count: 253))
    #expect(throws: TXTRecordError.entryTooLong(key: "k", byteCount: 256)) {
      try record.append("k", String(repeating: "x", count: 254))
    }
    for key in 1...4 { try record.append("\(key)", String(repeating: "x", count: 253)) }
    #expect(throws: TXTRecordError.recordTooLong(byteCount: 1301)) {
      try record.append("z", String(repeating: "x", count: 18))
    }
    try record.append("z", String(repeating: "x", count: 17))
    #expect(record.encoded.count == TXTRecord.byteCountMax)
    #expect(throws: TXTRecordError.recordTooLong(byteCount: 1301)) {
      try TXTRecord(decoding: record.encoded + [0])
    }
  }

  @Test(arguments: ["", "a=b", "é", "a\n"])
  func keysArePrintableASCII(_ key: String) {
    var record = TXTRecord()
    #expect(throws: TXTRecordError.invalidKey(key)) { try record.append(key, "") }
  }

  @Test(arguments: 0..<50 as Range<UInt64>)
  func randomBytesNeverTrapAndWhatDecodesIsStable(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let size = Int.random(in: 0...40, using: &random)
      let bytes = (0..<size).map { _ in
        // Small lengths and "=" often enough that entries occur.
        Bool.random(using: &random)
          ? UInt8.random(in: 0...5, using: &random)
          : [0x3D, 0x61, 0x62, .random(in: 0...255, using: &random)]
            .randomElement(using: &random) ?? 0
      }
      guard let record = try? TXTRecord(decoding: bytes) else { continue }
      #expect((try? TXTRecord(decoding: record.encoded)) == record)
    }
  }
}
