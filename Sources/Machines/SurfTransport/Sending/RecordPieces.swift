/// Octets of a large record in pieces of one size, in the app's own array.
struct RecordPieces: Sendable {
  let bytes: [UInt8]
  /// Where the first piece begins.
  let start: Int
  /// Octets of each piece.
  let size: Int

  subscript(index: Int) -> ArraySlice<UInt8> { bytes[range(index..<index + 1)] }

  /// Where these pieces lie, one behind the other.
  func range(_ indices: Range<Int>) -> Range<Int> {
    start + indices.lowerBound * size..<start + indices.upperBound * size
  }
}
