import SurfWire

/// Packets one behind the other in one buffer, ready to leave as a run.
struct PacketBlock: Sendable {
  /// The sequence of the first packet.
  let first: SequenceNumber
  /// The written octets, and behind them room for more.
  private var buffer: [UInt8]
  /// Octets written.
  private(set) var count = 0
  /// When the newest of its packets was sent.
  var sentAt = Duration.zero
  /// Where each packet ends.
  private var ends: [Int] = []
  /// The newest record that begins in each packet or before it.
  private var newestRecords: [SequenceNumber] = []

  /// - Parameter buffer: of an old block, to be used again.
  init(first: SequenceNumber, size: Int, reusing buffer: consuming [UInt8]) {
    self.first = first
    // Untouched memory takes no time; every octet is written before it is read.
    self.buffer =
      buffer.count == size
      ? buffer : [UInt8](unsafeUninitializedCapacity: size) { $1 = size }
  }

  /// The sequence after the last packet that is complete.
  var end: SequenceNumber { first.advanced(by: WireCount(ends.count)) }
  var isEmpty: Bool { ends.isEmpty }
  var newestRecord: SequenceNumber? { newestRecords.last }
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

  mutating func closePacket(newestRecord: SequenceNumber) {
    ends.append(count)
    newestRecords.append(newestRecord)
  }

  // MARK: Reading

  func size(of sequence: SequenceNumber) -> Int { range(of: sequence).count }

  func packet(_ sequence: SequenceNumber) -> ArraySlice<UInt8> { buffer[range(of: sequence)] }

  /// The memory of a block that is no longer needed.
  consuming func recycled() -> [UInt8] { buffer }

  /// The first packet in which, or before which, this record or a newer one begins.
  func firstPacket(from record: SequenceNumber) -> SequenceNumber {
    let index = newestRecords.firstIndex { $0 >= record } ?? newestRecords.count
    return first.advanced(by: WireCount(index))
  }

  /// The longest run from `sequence` on of at most `countMax` packets and `sizeMax` octets, but
  /// one packet at least.
  func run(from sequence: SequenceNumber, countMax: Int, sizeMax: Int) -> Range<SequenceNumber> {
    let segmentSize = size(of: sequence)
    var last = sequence
    var total = segmentSize
    let endMax = min(end, sequence.advanced(by: WireCount(countMax)))
    while last.next < endMax, size(of: last) == segmentSize {
      let size = size(of: last.next)
      total += size
      guard size <= segmentSize, total <= sizeMax else { break }
      last = last.next
    }
    return sequence..<last.next
  }

  /// The packets as a run, about to leave for the first time.
  mutating func stamped(_ run: Range<SequenceNumber>, oldestPacket: SequenceNumber) -> PacketRun {
    let start = range(of: run.lowerBound).lowerBound
    let range = start..<range(of: run.upperBound.previous).upperBound
    let segmentSize = size(of: run.lowerBound)
    buffer.withUnsafeMutableBytes { bytes in
      for offset in stride(from: range.lowerBound, to: range.upperBound, by: segmentSize) {
        DataPacket.stamp(
          UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<range.upperBound]),
          oldestPacket: oldestPacket)
      }
    }
    return PacketRun(bytes: buffer, range: range, segmentSize: segmentSize)
  }

  private func range(of sequence: SequenceNumber) -> Range<Int> {
    let index = first.distance(to: sequence).clamped(to: ends.count)
    return (index == 0 ? 0 : ends[index - 1])..<ends[index]
  }
}
