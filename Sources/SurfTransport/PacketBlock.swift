import SurfWire

/// Packets one behind the other in one buffer, ready to leave as a run.
struct PacketBlock: Sendable {
  /// The sequence of the first packet.
  let first: UInt64
  /// What is written, and behind it room for more.
  private var buffer: [UInt8]
  /// Octets written.
  private(set) var count = 0
  /// When the newest of its packets was sent.
  var sentAt = Duration.zero
  /// Where each packet ends.
  private var ends: [Int] = []
  /// The newest record that begins in each packet or before it.
  private var newestRecords: [UInt64] = []

  /// - Parameter buffer: of an old block, to be used again.
  init(first: UInt64, size: Int, reusing buffer: consuming [UInt8]) {
    self.first = first
    // Memory that nobody has touched takes no time; every octet is written before it is read.
    self.buffer =
      buffer.count == size
      ? buffer : [UInt8](unsafeUninitializedCapacity: size) { $1 = size }
  }

  /// The sequence after the last packet that is complete.
  var end: UInt64 { first + UInt64(ends.count) }
  var isEmpty: Bool { ends.isEmpty }
  var newestRecord: UInt64? { newestRecords.last }
  /// Octets of the packet that is being written.
  var openSize: Int { count - (ends.last ?? 0) }
  /// Octets that there is still room for.
  var room: Int { buffer.count - count }

  // MARK: Writing

  /// Lets `body` write `size` octets, all of them.
  ///
  /// - Precondition: `size` is at most `room`.
  mutating func write(_ size: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void) {
    buffer.withUnsafeMutableBytes { bytes in
      body(UnsafeMutableRawBufferPointer(rebasing: bytes[count..<count + size]))
    }
    count += size
  }

  mutating func closePacket(newestRecord: UInt64) {
    ends.append(count)
    newestRecords.append(newestRecord)
  }

  // MARK: Reading

  func size(of sequence: UInt64) -> Int { range(of: sequence).count }

  func packet(_ sequence: UInt64) -> ArraySlice<UInt8> { buffer[range(of: sequence)] }

  /// The memory, once the block is of no use any more.
  consuming func recycled() -> [UInt8] { buffer }

  /// The first packet in which, or before which, this record or a newer one begins.
  func firstPacket(from record: UInt64) -> UInt64 {
    first + UInt64(newestRecords.firstIndex { $0 >= record } ?? newestRecords.count)
  }

  /// The longest run from `sequence` on of at most `countMax` packets and `sizeMax` octets, but
  /// one packet at least.
  func run(from sequence: UInt64, countMax: Int, sizeMax: Int) -> Range<UInt64> {
    let segmentSize = size(of: sequence)
    var last = sequence
    var total = segmentSize
    while last + 1 < end, last + 1 - sequence < UInt64(countMax), size(of: last) == segmentSize {
      total += size(of: last + 1)
      guard size(of: last + 1) <= segmentSize, total <= sizeMax else { break }
      last += 1
    }
    return sequence..<last + 1
  }

  /// The packets as a run, with what is renewed at every sending.
  mutating func stamped(_ run: Range<UInt64>, oldestPacket: UInt64) -> PacketRun {
    let start = range(of: run.lowerBound).lowerBound
    let range = start..<range(of: run.upperBound - 1).upperBound
    let segmentSize = size(of: run.lowerBound)
    let live = DatagramFlags(rawValue: 0)
    buffer.withUnsafeMutableBytes { bytes in
      for offset in stride(from: range.lowerBound, to: range.upperBound, by: segmentSize) {
        DataPacket.stamp(
          UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<range.upperBound]), flags: live,
          oldestPacket: oldestPacket)
      }
    }
    return PacketRun(bytes: buffer, range: range, segmentSize: segmentSize)
  }

  private func range(of sequence: UInt64) -> Range<Int> {
    let index = Int(sequence - first)
    return (index == 0 ? 0 : ends[index - 1])..<ends[index]
  }
}
