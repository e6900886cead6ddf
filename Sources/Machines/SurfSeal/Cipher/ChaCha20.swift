/// ChaCha20 (RFC 8439 §2.4) under one key.
///
/// It uses only additions, exclusive ors and rotations by constants, so its time does not depend on
/// the key.
package struct ChaCha20: Secret, Sendable {
  /// The state of block 0, without the nonce.
  private let start: SIMD16<UInt32>

  package init(_ key: Octets32) {
    // RFC 8439 §2.3: "expand 32-byte k".
    var start = SIMD16<UInt32>.zero
    (start[0], start[1], start[2], start[3]) = (
      0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574
    )
    for index in 0..<8 { start[4 + index] = key.words[index].byteSwapped }
    self.start = start
  }

  package static let blockSize = 64

  /// The first half of block 0: the one-time key of the tag (RFC 8439 §2.6).
  func tagKey(_ nonce: SealNonce) -> SIMD4<UInt64> {
    let start = start(nonce, counter: 0)
    return Self.withBlocks { blocks in
      blocks.compute(1, from: start)
      let stream = blocks.stream(ofBlock: 0, of: 1, from: start)
      return unsafeBitCast(stream.lowHalf, to: SIMD4<UInt64>.self)
    }
  }

  /// Encrypts or decrypts; both are the same operation. `output` may be `input`.
  ///
  /// - Parameter counter: the number of the first block.
  /// - Precondition: `output` is at least as large as `input`, and the counter does not overflow.
  package func apply(
    to input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer,
    nonce: SealNonce, from counter: UInt32 = 1
  ) {
    precondition(output.count >= input.count, "text is never larger than its room")
    guard var source = input.baseAddress, var target = output.baseAddress else { return }
    var start = start(nonce, counter: counter)
    var rest = input.count
    Self.withBlocks { blocks in
      while rest > 0 {
        let isLong = rest > Self.sizeOfSingleBlocksMax
        let count = isLong ? ChaChaBlocks.countMax : 1
        if isLong {
          blocks.compute(ChaChaBlocks.countMax, from: start)
        } else {
          blocks.compute(1, from: start)
        }
        for index in 0..<count where rest > 0 {
          let size = min(rest, Self.blockSize)
          let stream = blocks.stream(ofBlock: index, of: count, from: start)
          Self.combine(stream, source, target, size)
          (source, target, rest) = (source + size, target + size, rest - size)
        }
        start[12] &+= UInt32(truncatingIfNeeded: count)
      }
    }
  }

  /// Up to this size, single blocks are faster than sixteen in parallel.
  private static let sizeOfSingleBlocksMax = 6 * blockSize

  private func start(_ nonce: SealNonce, counter: UInt32) -> SIMD16<UInt32> {
    var start = start
    start[12] = counter
    for index in 1...3 { start[12 + index] = nonce.row[index] }
    return start
  }

  private static func withBlocks<Result>(_ body: (ChaChaBlocks) -> Result) -> Result {
    withUnsafeTemporaryAllocation(
      of: UInt32.self, capacity: ChaChaBlocks.countMax * ChaChaBlocks.wordCount
    ) { buffer in
      // Not nil, because the capacity is not zero.
      body(ChaChaBlocks(in: buffer.baseAddress.unsafelyUnwrapped))
    }
  }

  @inline(__always)
  private static func combine(
    _ stream: SIMD16<UInt32>, _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer,
    _ size: Int
  ) {
    if size == blockSize {
      let text = source.loadUnaligned(as: SIMD16<UInt32>.self)
      target.storeBytes(of: text ^ stream, as: SIMD16<UInt32>.self)
    } else {
      withUnsafeBytes(of: stream) { stream in
        for index in 0..<size {
          let octet = source.load(fromByteOffset: index, as: UInt8.self) ^ stream[index]
          target.storeBytes(of: octet, toByteOffset: index, as: UInt8.self)
        }
      }
    }
  }
}

/// Consecutive blocks of key stream, computed in parallel (RFC 8439 §2.3).
///
/// Memory holds the first words of all blocks, then all second words, up to the sixteenth. So the
/// compiler turns the loops over blocks into vector code of any width. Words are little-endian,
/// like every machine that Swift runs on.
struct ChaChaBlocks {
  /// Enough for vectors, and few to waste at the end of a datagram.
  static let countMax = 16
  static let wordCount = 16

  private let words: UnsafeMutablePointer<UInt32>

  /// - Parameter buffer: memory for `countMax * wordCount` words.
  init(in buffer: UnsafeMutablePointer<UInt32>) { words = buffer }

  /// The key stream of one of `count` blocks.
  @inline(__always)
  func stream(ofBlock index: Int, of count: Int, from start: SIMD16<UInt32>) -> SIMD16<UInt32> {
    var stream = start
    for word in 0..<Self.wordCount { stream[word] &+= words[word &* count &+ index] }
    stream[12] &+= UInt32(truncatingIfNeeded: index)
    return stream
  }

  /// Computes `count` blocks: the first from `start`, the others with ascending counters.
  ///
  /// - Parameter count: must be a constant, or the compiler makes no vectors.
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

  /// RFC 8439 §2.1, on the same four words of each block.
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
