import CSurfSockets

/// Datagrams of one size, but the last, which may be smaller, in memory of the caller: 64,000
/// octets and 44 datagrams at most. Each may begin with a head that lies elsewhere.
package struct DatagramRun {
  /// The datagrams one behind the other, without their heads.
  let bytes: UnsafeRawBufferPointer
  /// Octets of a datagram, with its head.
  let segmentSize: Int
  /// The heads one behind the other.
  let heads: UnsafeRawBufferPointer
  let headSize: Int

  /// - Precondition: `headSize` is less than `segmentSize`, and `heads` has one for each datagram.
  package init(
    _ bytes: UnsafeRawBufferPointer, segmentSize: Int,
    heads: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0), headSize: Int = 0
  ) {
    self.bytes = bytes
    self.segmentSize = segmentSize
    self.heads = heads
    self.headSize = headSize
  }

  private var pieceSize: Int { segmentSize - headSize }
  var count: Int { (bytes.count + pieceSize - 1) / pieceSize }

  /// A copy of each.
  var datagrams: [[UInt8]] {
    (0..<count).map { index in
      let start = index * pieceSize
      return heads[index * headSize..<(index + 1) * headSize]
        + [UInt8](bytes[start..<min(start + pieceSize, bytes.count)])
    }
  }

  var forSystem: surf_segments {
    surf_segments(
      bytes: bytes.baseAddress, size: bytes.count, heads: heads.baseAddress, head_size: headSize,
      segment_size: UInt16(segmentSize))
  }
}
