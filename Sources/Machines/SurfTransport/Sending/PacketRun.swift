/// Datagrams in one buffer, for a single system call. All have the same size except the last, which
/// may be smaller, so that the kernel can split them (UDP segmentation offload).
package struct PacketRun: Equatable, Sendable {
  /// The beginnings of the datagrams, if they are in another buffer. The kernel gathers both.
  package struct Heads: Equatable, Sendable {
    /// Contains the heads, and perhaps more. Shared with the history.
    package let bytes: [UInt8]
    package fileprivate(set) var start: Int
    /// Octets of each.
    package let size: Int
  }

  /// Contains the run, and perhaps more. Shared with the history or the app, not copied.
  package let bytes: [UInt8]
  package private(set) var range: Range<Int>
  /// Octets of each datagram except the last.
  package let segmentSize: Int
  package private(set) var heads: Heads?

  /// Octets of one run. The kernel takes 65,507; a device driver may need some for headers.
  static let sizeMax = 64_000
  /// Datagrams of one run: 64 in older kernels, or as many of the largest as `sizeMax` allows.
  static let countMax = 44

  package init(bytes: [UInt8], range: Range<Int>, segmentSize: Int, heads: Heads? = nil) {
    self.bytes = bytes
    self.range = range
    self.segmentSize = segmentSize
    self.heads = heads
  }

  package var count: Int { (range.count + pieceSize - 1) / pieceSize }
  /// Octets of all datagrams.
  package var size: Int { range.count + count * headSize }
  private var headSize: Int { heads?.size ?? 0 }
  /// Octets of each datagram except the last, without its head.
  private var pieceSize: Int { segmentSize - headSize }

  /// Removes datagrams that were sent.
  package mutating func dropFirst(_ count: Int) {
    range = min(range.lowerBound + count * pieceSize, range.upperBound)..<range.upperBound
    let dropped = count * headSize
    heads?.start += dropped
  }

  package var datagrams: [[UInt8]] { (0..<count).map { Array(datagram($0)) } }

  /// One datagram; a copy if its head is in another buffer.
  package func datagram(_ index: Int) -> ArraySlice<UInt8> {
    let start = range.lowerBound + index * pieceSize
    let piece = bytes[start..<min(start + pieceSize, range.upperBound)]
    guard let heads else { return piece }
    let head = heads.start + index * heads.size
    return heads.bytes[head..<head + heads.size].joined(with: piece)
  }
}

/// Builds a run from copies.
struct RunBuilder {
  private var bytes: [UInt8] = []
  private var segmentSize = 0
  private var isClosed = false

  var run: PacketRun? {
    bytes.isEmpty
      ? nil : PacketRun(bytes: bytes, range: 0..<bytes.count, segmentSize: segmentSize)
  }

  /// Whether a datagram of this size can follow.
  func admits(_ size: Int) -> Bool {
    bytes.isEmpty
      || (!isClosed && size <= segmentSize && bytes.count + size <= PacketRun.sizeMax
        && bytes.count < PacketRun.countMax * segmentSize)
  }

  /// Appends a datagram that it admits. `change` may modify the copy.
  mutating func append(
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

extension ArraySlice<UInt8> {
  /// A copy of both with one allocation. `+` copies twice.
  func joined(with rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var joined: [UInt8] = []
    joined.reserveCapacity(count + rest.count)
    joined += self
    joined += rest
    return joined[...]
  }
}
