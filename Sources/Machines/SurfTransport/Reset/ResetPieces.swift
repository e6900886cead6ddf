import SurfWire

/// The octets of a state as its pieces come: those without a hole, and those beyond one
/// (Protocol.md §11.2). Memory grows with the octets that came, not with those announced.
struct ResetPieces: Sendable {
  private(set) var contiguous: [UInt8] = []
  /// By offset.
  private var ahead: [Int: [UInt8]] = [:]

  /// Octets in all.
  var size: Int { ahead.values.reduce(contiguous.count) { $0 + $1.count } }

  /// Ranges beyond a hole, in rising order and never touching.
  var ranges: [Range<Int>] {
    var ranges: [Range<Int>] = []
    for (offset, bytes) in ahead.sorted(by: { $0.key < $1.key }) {
      let end = offset + bytes.count
      if let last = ranges.last, offset <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, end)
      } else {
        ranges.append(offset..<end)
      }
    }
    return ranges
  }

  mutating func keep(_ bytes: [UInt8], at offset: Int) {
    guard offset > contiguous.count else {
      append(bytes, at: offset)
      while let next = ahead.keys.min(), next <= contiguous.count {
        append(ahead.removeValue(forKey: next) ?? [], at: next)
      }
      return
    }
    guard bytes.count > ahead[offset]?.count ?? 0 else { return }
    ahead[offset] = bytes
    // A viewer that begins anew sends from the first hole on: its old pieces far ahead must not
    // take that room.
    if ahead.count > Limits.aheadPieceCountMax, let farthest = ahead.keys.max() {
      ahead[farthest] = nil
    }
  }

  /// Octets that were here already stay as they are.
  private mutating func append(_ bytes: [UInt8], at offset: Int) {
    contiguous += bytes.dropFirst(contiguous.count - offset)
  }
}
