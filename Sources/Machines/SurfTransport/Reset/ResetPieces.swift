import SurfWire

/// The octets of a state as its pieces come: those without a hole, and what lies beyond one
/// (Protocol.md §11.2). Memory grows with what came, not with what was announced.
struct ResetPieces: Sendable {
  private(set) var contiguous: [UInt8] = []
  /// By offset.
  private var ahead: [Int: [UInt8]] = [:]

  /// Octets in all.
  var size: Int { ahead.values.reduce(contiguous.count) { $0 + $1.count } }

  /// What lies beyond a hole, in rising order and never touching.
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
    // Who begins anew sends from the first hole on: what it left far ahead takes no place of that.
    if ahead.count > Limits.aheadPieceCountMax, let farthest = ahead.keys.max() {
      ahead[farthest] = nil
    }
  }

  /// What was here already stays as it was.
  private mutating func append(_ bytes: [UInt8], at offset: Int) {
    contiguous += bytes.dropFirst(contiguous.count - offset)
  }
}
