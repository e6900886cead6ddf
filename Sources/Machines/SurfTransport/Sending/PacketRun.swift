/// Datagrams that lie one behind the other: all of one size but the last, which may be smaller, so
/// that the kernel can cut them apart (UDP segmentation offload).
package struct PacketRun: Equatable, Sendable {
  /// Holds the run, and perhaps more; shared with the history, not copied.
  package let bytes: [UInt8]
  package private(set) var range: Range<Int>
  /// Octets of each datagram but the last.
  package let segmentSize: Int

  /// Octets of one run: the kernel takes 65,507, of which a device driver may want some for
  /// headers.
  static let sizeMax = 64_000
  /// Datagrams of one run: 64 in older kernels, and what `sizeMax` allows of the largest.
  static let countMax = 44

  package init(bytes: [UInt8], range: Range<Int>, segmentSize: Int) {
    self.bytes = bytes
    self.range = range
    self.segmentSize = segmentSize
  }

  package var count: Int { (range.count + segmentSize - 1) / segmentSize }

  /// Leaves out datagrams that have gone.
  package mutating func dropFirst(_ count: Int) {
    range = min(range.lowerBound + count * segmentSize, range.upperBound)..<range.upperBound
  }

  /// Each datagram on its own.
  package var datagrams: [[UInt8]] {
    stride(from: range.lowerBound, to: range.upperBound, by: segmentSize).map {
      Array(bytes[$0..<min($0 + segmentSize, range.upperBound)])
    }
  }
}

/// A run made of copies.
package struct RunBuilder {
  private var bytes: [UInt8] = []
  private var segmentSize = 0
  private var isClosed = false

  package init() {}

  /// The run, unless there is nothing in it.
  package var run: PacketRun? {
    bytes.isEmpty
      ? nil : PacketRun(bytes: bytes, range: 0..<bytes.count, segmentSize: segmentSize)
  }

  /// Whether a datagram of this size can follow.
  package func admits(_ size: Int) -> Bool {
    bytes.isEmpty
      || (!isClosed && size <= segmentSize && bytes.count + size <= PacketRun.sizeMax
        && bytes.count < PacketRun.countMax * segmentSize)
  }

  /// Takes a datagram that it admits; `change` may touch the copy.
  package mutating func append(
    _ datagram: ArraySlice<UInt8>, _ change: (UnsafeMutableRawBufferPointer) -> Void
  ) {
    if bytes.isEmpty {
      segmentSize = datagram.count
      bytes.reserveCapacity(datagram.count * 4)
    }
    isClosed = datagram.count < segmentSize
    let start = bytes.count
    bytes.append(contentsOf: datagram)
    bytes.withUnsafeMutableBytes { change(UnsafeMutableRawBufferPointer(rebasing: $0[start...])) }
  }
}
