import SurfWire
import TestSupport
import Testing

@Suite struct MutationTests {
  private static let seeds: [Expected] = [
    .datagram(expectedDatagrams["heartbeat"]!), .frames(expectedFrames["frame-two"]!),
    .record(expectedRecords["record-action"]!),
  ]

  @Test(arguments: seeds.indices)
  func `random octets never trap, and what decodes can be encoded`(index: Int) throws {
    var noise = SeededGenerator(seed: 1)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...160, using: &noise)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &noise) }
      try check(bytes, as: Self.seeds[index])
    }
  }

  @Test func `random bodies under a good header never trap`() throws {
    var noise = SeededGenerator(seed: 2)
    var decodedCount = 0
    for round in 0..<20_000 {
      let header = Array(expectedDatagrams["goodbye"]!.encoded().prefix(Limits.headerSize))
      // Small numbers pass more checks than large ones.
      let high = UInt8.random(in: 0...255, using: &noise)
      let body = (0..<Int.random(in: 0...320, using: &noise)).map { _ in
        UInt8.random(in: 0...high, using: &noise) & (round % 2 == 0 ? 0xFF : 0x01)
      }
      var bytes = header + body
      bytes[3] = UInt8(round % 17)
      decodedCount += try check(bytes, as: Self.seeds[0]) ? 1 : 0
    }
    #expect(decodedCount > 1_000)
  }

  @Test(arguments: TestVector.open.filter { !$0.isRefused })
  func `flipped bits never trap, and what decodes can be encoded`(
    vector: TestVector
  ) throws {
    let value = try #require(expected[vector.name])
    var noise = SeededGenerator(seed: 3)
    for _ in 0..<400 {
      var bytes = vector.bytes
      for _ in 0..<Int.random(in: 1...4, using: &noise) {
        let index = Int.random(in: bytes.indices, using: &noise)
        bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &noise)
      }
      try check(bytes, as: value)
    }
  }

  /// - Returns: whether the bytes decode.
  @discardableResult
  private func check(_ bytes: [UInt8], as sort: Expected) throws -> Bool {
    guard let decoded = try? sort.decode(bytes) else { return false }
    let again = try sort.decode(decoded.encoded)
    #expect(again == decoded)
    return true
  }
}
