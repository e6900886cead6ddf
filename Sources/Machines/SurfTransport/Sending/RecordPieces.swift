import SurfWire

/// Octets of a large record in pieces of one size, in the app's own array.
final class RecordPieces: Sendable {
  let record: SequenceNumber
  /// Octets of the encoded record.
  let total: Int
  /// Where in the encoded record the first piece begins.
  let offset: Int
  let bytes: [UInt8]
  /// Where in `bytes` that is.
  let start: Int
  /// Octets of each piece.
  let size: Int

  /// Nil if not all of these pieces lie in the octets of the state.
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

  /// Where these pieces lie, one behind the other.
  func range(_ indices: Range<Int>) -> Range<Int> {
    start + indices.lowerBound * size..<start + indices.upperBound * size
  }

  /// Writes what precedes a piece in its packet.
  func writeHeader(_ index: Int, to bytes: UnsafeMutableRawBufferPointer) {
    Fragment.writeHeader(
      record: record, total: total, offset: offset + index * size, size: size, to: bytes)
  }

  /// Gives these pieces as if they were one.
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
