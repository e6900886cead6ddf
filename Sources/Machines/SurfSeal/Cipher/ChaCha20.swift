/// ChaCha20 (RFC 8439 §2.4) under one key.
///
/// Additions, exclusive ors and rotations by constants alone: nothing that takes a time of its own
/// for a key.
package struct ChaCha20: Secret, Sendable {
  /// The state of block 0, but for the nonce.
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

  /// The first half of block 0, which is the key of the tag (RFC 8439 §2.6).
  func tagKey(_ nonce: SealNonce) -> SIMD4<UInt64> {
    let start = start(nonce, counter: 0)
    return Self.withBlocks { blocks in
      blocks.compute(1, from: start)
      let stream = blocks.stream(ofBlock: 0, of: 1, from: start)
      return unsafeBitCast(stream.lowHalf, to: SIMD4<UInt64>.self)
    }
  }

  /// Encrypts or decrypts, which is the same; `output` may be `input`.
  ///
  /// - Parameter counter: the number of the first block.
  /// - Precondition: `output` is at least as large as `input`, and the counter does not run over.
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

  /// As long as these octets take less time block by block than in sixteen blocks side by side.
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
    ) { room in
      // There is an address, as the capacity is not zero.
      body(ChaChaBlocks(in: room.baseAddress.unsafelyUnwrapped))
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
