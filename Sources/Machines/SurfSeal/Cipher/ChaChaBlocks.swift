/// Some blocks of key stream in a row, which the processor computes side by side (RFC 8439 §2.3).
///
/// In memory the first words of all blocks come first, then the second ones, and so on: so the
/// compiler makes vectors of whatever width of the loops over blocks. Words are little-endian, as
/// those of every machine that Swift runs on.
struct ChaChaBlocks {
  /// Enough for vectors, and little to throw away at the end of a datagram.
  static let countMax = 16
  /// Words of a block.
  static let wordCount = 16

  private let words: UnsafeMutablePointer<UInt32>

  /// - Parameter room: of a word for each word of `countMax` blocks.
  init(in room: UnsafeMutablePointer<UInt32>) { words = room }

  /// The key stream of one of `count` blocks.
  @inline(__always)
  func stream(ofBlock index: Int, of count: Int, from start: SIMD16<UInt32>) -> SIMD16<UInt32> {
    var stream = start
    for word in 0..<Self.wordCount { stream[word] &+= words[word &* count &+ index] }
    stream[12] &+= UInt32(truncatingIfNeeded: index)
    return stream
  }

  /// Computes `count` blocks, the first from `start`, each other one with the next counter.
  ///
  /// - Parameter count: a constant, or there will be no vectors.
  @inline(__always)
  func compute(_ count: Int, from start: SIMD16<UInt32>) {
    for word in 0..<Self.wordCount {
      for index in 0..<count { words[word &* count &+ index] = start[word] }
    }
    for index in 0..<count {
      words[12 &* count &+ index] &+= UInt32(truncatingIfNeeded: index)
    }
    for _ in 0..<10 {
      quarterRound(count, 0, 4, 8, 12)
      quarterRound(count, 1, 5, 9, 13)
      quarterRound(count, 2, 6, 10, 14)
      quarterRound(count, 3, 7, 11, 15)
      quarterRound(count, 0, 5, 10, 15)
      quarterRound(count, 1, 6, 11, 12)
      quarterRound(count, 2, 7, 8, 13)
      quarterRound(count, 3, 4, 9, 14)
    }
  }

  /// RFC 8439 §2.1, on these words of each block.
  @inline(__always)
  private func quarterRound(_ count: Int, _ a: Int, _ b: Int, _ c: Int, _ d: Int) {
    for index in 0..<count {
      var first = words[a &* count &+ index]
      var second = words[b &* count &+ index]
      var third = words[c &* count &+ index]
      var fourth = words[d &* count &+ index]
      first &+= second
      fourth = rotated(fourth ^ first, 16)
      third &+= fourth
      second = rotated(second ^ third, 12)
      first &+= second
      fourth = rotated(fourth ^ first, 8)
      third &+= fourth
      second = rotated(second ^ third, 7)
      words[a &* count &+ index] = first
      words[b &* count &+ index] = second
      words[c &* count &+ index] = third
      words[d &* count &+ index] = fourth
    }
  }

  @inline(__always)
  private func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &<< count | word &>> (32 &- count)
  }
}
