import SurfWire
import Testing

/// Records of a megabyte and more, in pieces.
@Suite struct LargeRecordTests {
  static let megabyte = 1 << 20

  @Test(arguments: [megabyte - 1, megabyte, megabyte + 1, 2 * megabyte + 77, 19 * megabyte])
  func `a large state comes back, in memory of its own size`(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 11) }
    let record = Record(
      sequence: 7, kind: .action, name: "grow",
      state: .keyframe(Content(type: "application/json", bytes: bytes)),
      grownFrom: GrownFrom(from: .record(6), move: 1))
    let whole = try Self.reassembled(record.encoded(), pieceSize: 1_380)
    #expect(whole == record)
    guard case .keyframe(let content) = whole.state else { return }
    // Some pages, for what the allocator rounds up to.
    #expect(content.bytes.capacity <= size + 65_536)
  }

  @Test func `a record that is cut short in the second megabyte is refused`() throws {
    let state = Content(type: "x", bytes: [UInt8](repeating: 5, count: 3 * Self.megabyte))
    let record = Record(sequence: 7, kind: .action, name: "grow", state: .keyframe(state))
    #expect(throws: WireError.self) {
      try Self.reassembled(Array(record.encoded().dropLast(Self.megabyte)), pieceSize: 1_380)
    }
  }

  private static func reassembled(_ bytes: [UInt8], pieceSize: Int) throws -> Record {
    var partial = PartialRecord(record: 7, total: WireCount(bytes.count))
    bytes.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: pieceSize) {
        partial.append(
          UnsafeRawBufferPointer(
            rebasing: bytes[start..<min(start + pieceSize, bytes.count)]))
      }
    }
    #expect(partial.isComplete)
    return try partial.finish()
  }
}
