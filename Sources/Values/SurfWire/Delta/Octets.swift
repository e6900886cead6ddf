/// A run of octets that `Matcher` compares word by word, in memory that the caller keeps.
///
/// Offsets are not checked: the caller keeps `offset + size` within `count`.
struct Octets {
  let start: UnsafeRawPointer
  let count: Int

  /// Eight octets, the first one least significant.
  func word(at offset: Int) -> UInt64 {
    UInt64(littleEndian: start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  func octet(at offset: Int) -> UInt8 { start.load(fromByteOffset: offset, as: UInt8.self) }

  func buffer(_ range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start + range.lowerBound, count: range.count)
  }

  /// The first offset of the word `sought`, from `first` through `last`.
  func firstOffset(of sought: UInt64, from first: Int, through last: Int) -> Int? {
    var offset = first
    while offset + 7 <= last {
      // Eight comparisons without a branch in between.
      var isThere = false
      for step in 0..<8 { isThere = isThere || word(at: offset &+ step) == sought }
      if isThere { break }
      offset += 8
    }
    while offset <= last {
      if word(at: offset) == sought { return offset }
      offset += 1
    }
    return nil
  }

  /// How many octets are equal from two offsets on, at most `countMax`.
  func commonCount(from offset: Int, with other: Octets, from otherOffset: Int, countMax: Int)
    -> Int
  {
    var count = 0
    // All of a large state passes through here.
    while count + 64 <= countMax,
      isEqualBlock(at: offset + count, with: other, at: otherOffset + count)
    {
      count += 64
    }
    while count + 8 <= countMax {
      let unequal = word(at: offset + count) ^ other.word(at: otherOffset + count)
      guard unequal == 0 else { return count + unequal.trailingZeroBitCount / 8 }
      count += 8
    }
    while count < countMax, octet(at: offset + count) == other.octet(at: otherOffset + count) {
      count += 1
    }
    return count
  }

  /// How many octets are equal before two offsets, at most `countMax`.
  func commonCount(before offset: Int, with other: Octets, before otherOffset: Int, countMax: Int)
    -> Int
  {
    var count = 0
    while count + 64 <= countMax,
      isEqualBlock(at: offset - count - 64, with: other, at: otherOffset - count - 64)
    {
      count += 64
    }
    while count + 8 <= countMax {
      let unequal = word(at: offset - count - 8) ^ other.word(at: otherOffset - count - 8)
      guard unequal == 0 else { return count + unequal.leadingZeroBitCount / 8 }
      count += 8
    }
    while count < countMax,
      octet(at: offset - count - 1) == other.octet(at: otherOffset - count - 1)
    {
      count += 1
    }
    return count
  }

  @inline(__always)
  private func isEqualBlock(at offset: Int, with other: Octets, at otherOffset: Int) -> Bool {
    let first = start + offset
    let second = other.start + otherOffset
    var unequal: UInt64 = 0
    var place = 0
    while place < 64 {
      unequal |=
        first.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        ^ second.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      place += 8
    }
    return unequal == 0
  }
}
