import SurfWire

/// Equal pieces of a large record, in the app's own array. A `PacketBlock` sends them uncopied.
final class RecordPieces: Sendable {
  let record: SequenceNumber
  /// Octets of the encoded record.
  let total: Int
  /// Where the first piece begins in the encoded record.
  let offset: Int
  let bytes: [UInt8]
  /// Where the first piece begins in `bytes`.
  let start: Int
  /// Octets of each piece.
  let size: Int

  /// Nil if the pieces are not all within the octets of the state.
  init?(
    of octets: RecordOctets, _ record: SequenceNumber, from offset: Int, count: Int, size: Int
  ) {
    start = offset - octets.headSize
    guard start >= 0, start + count * size <= octets.state.count else { return nil }
    self.record = record
    self.offset = offset
    self.size = size
    total = octets.size
    bytes = octets.state
  }

  subscript(index: Int) -> ArraySlice<UInt8> { bytes[range(index..<index + 1)] }

  /// The octets of these pieces, which are adjacent.
  func range(_ indices: Range<Int>) -> Range<Int> {
    start + indices.lowerBound * size..<start + indices.upperBound * size
  }

  /// Writes the fragment header that precedes a piece in its packet.
  func writeHeader(_ index: Int, to bytes: UnsafeMutableRawBufferPointer) {
    Fragment.writeHeader(
      record: record, total: total, offset: offset + index * size, size: size, to: bytes)
  }

  /// Passes these pieces to `body` as one.
  func read<Result>(_ indices: Range<Int>, _ body: (FragmentView) -> Result) -> Result {
    bytes.withUnsafeBytes { bytes in
      body(
        FragmentView(
          record: record, total: WireCount(total),
          offset: WireCount(offset + indices.lowerBound * size),
          bytes: UnsafeRawBufferPointer(rebasing: bytes[range(indices)])))
    }
  }
}
