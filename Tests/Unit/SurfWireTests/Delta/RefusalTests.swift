import SurfWire
import Testing

/// Invalid deltas, and their errors. The octets are those of Protocol.md §8.3.
@Suite struct RefusalTests {
  @Test(
    arguments: [
      ([0x88], .truncated(field: "number", needed: 2, available: 1)),
      ([0x04, 0x88] + Array(repeating: 0x80, count: 9) + [0x00], .numberTooLong(at: 1)),
      ([0x04, 0x88] + Array(repeating: 0x80, count: 8) + [0x02], .numberTooLong(at: 1)),
      ([0x09, 0x61], .truncated(field: "insertion", needed: 2, available: 1)),
      ([0x04, 0x00], .emptyOperation(at: 1)),
      ([0x05, 0x61, 0x03], .emptyOperation(at: 2)),
      ([0x04, 0x08], .outsideOfBase(at: 1, cursor: 1, count: 2)),
      ([0x04, 0x0A], .outsideOfBase(at: 1, cursor: 1, count: 2)),
      ([0x04, 0x0B], .outsideOfBase(at: 1, cursor: 1, count: 2)),
      ([0x08, 0x07, 0x04], .targetTooLong(at: 2, limit: 2)),
      ([0x05, 0x61, 0x09, 0x61, 0x61], .targetTooLong(at: 2, limit: 2)),
      ([0x04], .targetTooShort(size: 1, expected: 2)),
      ([], .targetTooShort(size: 0, expected: 2)),
    ] as [([UInt8], DeltaError)])
  func anErrorSaysWhereItIs(operations: [UInt8], expected: DeltaError) {
    #expect(throws: expected) {
      try Delta(base: 1, baseSize: 2, targetSize: 2, operations: operations)
    }
  }

  @Test(arguments: [0, .max] as [SequenceNumber])
  func whatIsNoRecordIsNoBase(number: SequenceNumber) {
    #expect(throws: DeltaError.invalidBase(number)) {
      try Delta(base: number, baseSize: 0, targetSize: 0, operations: [])
    }
  }

  @Test func sizesAreBoundedByTheCallerAndNotByThemselves() throws {
    let bytes = try Delta(base: 1, baseSize: 9, targetSize: 2, operations: [0x08]).encoded()
    #expect(try Delta(decoding: bytes, sizeMax: 9).targetSize == 2)
    #expect(throws: DeltaError.beyondLimit(field: "base size", value: 9, limit: 8)) {
      try Delta(decoding: bytes, sizeMax: 8)
    }
    // Six octets that would make 64 MiB of one.
    let bomb: [UInt8] = [1, 1, 0x80, 0x80, 0x80, 0x20]
    #expect(
      throws: DeltaError.beyondLimit(field: "target size", value: 1 << 26, limit: 1 << 20)
    ) {
      try Delta(decoding: bomb, sizeMax: 1 << 20)
    }
  }

  @Test func aCutHeaderIsTruncated() {
    #expect(throws: DeltaError.truncated(field: "target size", needed: 2, available: 1)) {
      try Delta(decoding: [1, 9, 0x82], sizeMax: 9)
    }
  }

  @Test func theLongestNumberIsRead() throws {
    // Copy 2 in ten octets; the shortest form takes one.
    let padded = try Delta(
      base: 1, baseSize: 2, targetSize: 2,
      operations: [0x88] + Array(repeating: 0x80, count: 8) + [0x00])
    #expect(try padded.apply(to: [7, 8]) == [7, 8])
  }

  @Test func anInsertionMovesTheCursorToTheEndOfTheBaseAtMost() throws {
    // Insert 3 in the place of the second octet, then go back over the whole base and copy it.
    let grown = try Delta(
      base: 1, baseSize: 2, targetSize: 6,
      operations: [0x04, 0x0D, 1, 2, 3, 0x0B, 0x08])
    #expect(try grown.apply(to: [7, 8]) == [7, 1, 2, 3, 7, 8])
  }
}
