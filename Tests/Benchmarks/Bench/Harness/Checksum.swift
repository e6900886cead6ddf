/// How a message's payload is summed.
enum Checksum {
  /// The harness's own: one sum over all of it.
  case whole
  /// The sum of each block by the harness's function, added up. An edit changes the sums of only
  /// the blocks that it touches, so the publisher's own work does not hide the transport's. The
  /// viewers sum everything.
  case blocks

  static let blockSize = 4_096

  func sum(_ payload: UnsafeRawBufferPointer) -> UInt64 {
    switch self {
    case .whole: Self.sum(payload)
    case .blocks:
      stride(from: 0, to: payload.count, by: Self.blockSize).reduce(0) { total, offset in
        total &+ Self.sum(block: offset / Self.blockSize, of: payload)
      }
    }
  }

  /// The part of one block. Its place counts, which reveals swapped blocks.
  static func sum(block: Int, of payload: UnsafeRawBufferPointer) -> UInt64 {
    let start = block * blockSize
    let end = min(start + blockSize, payload.count)
    let sum = sum(UnsafeRawBufferPointer(rebasing: payload[start..<end]))
    return (sum ^ UInt64(truncatingIfNeeded: block)) &* 0x9e37_79b9_7f4a_7c15
  }

  /// `msum` of the harness, bit for bit: four lanes of 64 bits.
  private static func sum(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    guard let start = bytes.baseAddress else { return 0 }
    var (first, second, third, fourth): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    let whole = bytes.count & ~31
    var offset = 0
    while offset < whole {
      let words = start.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self)
      first &+= words[0]
      second ^= words[1] &+ first
      third &+= words[2] ^ (first >> 7)
      fourth &+= words[3]
      offset += 32
    }
    while offset < bytes.count {
      first = first &* 31 &+ UInt64(start.load(fromByteOffset: offset, as: UInt8.self))
      offset += 1
    }
    return first ^ (second &* 3) ^ (third &* 5) ^ (fourth &* 7)
  }
}
