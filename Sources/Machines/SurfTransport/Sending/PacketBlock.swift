import SurfWire

/// Consecutive packets in one buffer, ready to be sent as a run. `PacketHistory` consists of these.
/// Either none or all of the packets end with a piece of a large record, which stays in the app's
/// array.
struct PacketBlock: Sendable {
  let first: SequenceNumber
  /// The written octets, followed by unused capacity.
  private var buffer: [UInt8]
  /// Octets written.
  private var count = 0
  /// The piece that each packet ends with, if any.
  private let pieces: RecordPieces?
  /// When its newest packet was sent.
  var sentAt = Duration.zero
  /// Where each packet ends.
  private var ends: [Int] = []
  /// The newest record that begins in each packet or before it.
  private var newestRecords: [SequenceNumber] = []

  /// - Parameter size: capacity in octets.
  /// - Parameter buffer: the memory of an old block.
  init(
    first: SequenceNumber, size: Int, reusing buffer: consuming [UInt8] = [],
    pieces: RecordPieces? = nil
  ) {
    self.first = first
    self.pieces = pieces
    // Untouched memory takes no time. Every octet is written before it is read.
    self.buffer =
      buffer.count == size
      ? buffer : [UInt8](unsafeUninitializedCapacity: size) { $1 = size }
  }

  /// The sequence number after the last complete packet.
  var end: SequenceNumber { first.advanced(by: WireCount(ends.count)) }
  var isEmpty: Bool { ends.isEmpty }
  var newestRecord: SequenceNumber? { newestRecords.last }
  /// Octets of its packets.
  var size: Int { count + ends.count * pieceSize }
  private var pieceSize: Int { pieces?.size ?? 0 }
  /// Octets of the packet that is being written.
  var openSize: Int { count - (ends.last ?? 0) }
  /// The unused capacity, in octets.
  var room: Int { buffer.count - count }

  // MARK: Writing

  /// Lets `body` write exactly `size` octets.
  ///
  /// - Precondition: `size` is at most `room`.
  mutating func write(_ size: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void) {
    buffer.withUnsafeMutableBytes { bytes in
      body(UnsafeMutableRawBufferPointer(rebasing: bytes[count..<count + size]))
    }
    count += size
  }

  /// Writes a part of a record behind a header of `headerSize` octets, which `writeHeader` writes.
  mutating func write(
    _ record: borrowing RecordOctets, _ part: Range<Int>, behind headerSize: Int,
    _ writeHeader: (UnsafeMutableRawBufferPointer) -> Void
  ) {
    write(headerSize + part.count) { bytes in
      writeHeader(bytes)
      record.copy(part, to: UnsafeMutableRawBufferPointer(rebasing: bytes[headerSize...]))
    }
  }

  mutating func closePacket(newestRecord: SequenceNumber) {
    ends.append(count)
    newestRecords.append(newestRecord)
  }

  // MARK: Reading

  func size(of sequence: SequenceNumber) -> Int { range(of: sequence).count + pieceSize }

  /// The octets of a packet; a copy if it ends with a piece.
  func packet(_ sequence: SequenceNumber) -> ArraySlice<UInt8> {
    let written = buffer[range(of: sequence)]
    guard let pieces else { return written }
    return written.joined(with: pieces[index(of: sequence)])
  }

  /// Passes the first of the packets to the reader, with the pieces that follow it in the block.
  /// Returns the reader's progress, and the next packet.
  func read(
    _ packets: Range<SequenceNumber>, by reader: StateReader
  ) -> (StateReader.Progress, next: SequenceNumber) {
    let first = packets.lowerBound
    guard let pieces else { return (reader.read(packet(first)), first.next) }
    let end = min(end, packets.upperBound)
    return (pieces.read(index(of: first)..<index(of: end)) { reader.read($0) }, end)
  }

  /// The block's memory for reuse, unless it is small.
  consuming func recycled() -> [UInt8]? { pieces == nil ? buffer : nil }

  /// The first packet that `record` or a newer one begins in or before.
  func firstPacket(from record: SequenceNumber) -> SequenceNumber {
    let index = newestRecords.firstIndex { $0 >= record } ?? newestRecords.count
    return first.advanced(by: WireCount(index))
  }

  /// The longest run from `sequence` on of at most `countMax` packets and `sizeMax` octets, but at
  /// least one packet.
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

  /// The packets as a run, with the trailing edge filled in, for their first time on the wire.
  mutating func stamped(_ run: Range<SequenceNumber>, oldestPacket: SequenceNumber) -> PacketRun {
    let start = range(of: run.lowerBound).lowerBound
    let range = start..<range(of: run.upperBound.previous).upperBound
    let writtenSize = self.range(of: run.lowerBound).count
    buffer.withUnsafeMutableBytes { bytes in
      for offset in stride(from: range.lowerBound, to: range.upperBound, by: writtenSize) {
        DataPacket.stamp(
          UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<range.upperBound]),
          oldestPacket: oldestPacket)
      }
    }
    guard let pieces else {
      return PacketRun(bytes: buffer, range: range, segmentSize: writtenSize)
    }
    return PacketRun(
      bytes: pieces.bytes,
      range: pieces.range(index(of: run.lowerBound)..<index(of: run.upperBound)),
      segmentSize: writtenSize + pieces.size,
      heads: PacketRun.Heads(bytes: buffer, start: start, size: writtenSize))
  }

  private func index(of sequence: SequenceNumber) -> Int {
    first.distance(to: sequence).clamped(to: ends.count)
  }

  private func range(of sequence: SequenceNumber) -> Range<Int> {
    let index = index(of: sequence)
    return (index == 0 ? 0 : ends[index - 1])..<ends[index]
  }
}

/// Equal pieces of a large record, in the app's own array. A `PacketBlock` sends them uncopied.
final class RecordPieces: Sendable {
  let record: SequenceNumber
  /// Octets of the encoded record.
  let total: Int
  /// Where the first piece begins in the encoded record.
  let offset: Int
  let bytes: [UInt8]
  /// Where the first piece begins in `bytes`.
  let start: Int
  /// Octets of each piece.
  let size: Int

  /// Nil if the pieces are not all within the octets of the state.
  init?(
    of octets: RecordOctets, _ record: SequenceNumber, from offset: Int, count: Int, size: Int
  ) {
    start = offset - octets.headSize
    guard start >= 0, start + count * size <= octets.state.count else { return nil }
    self.record = record
    self.offset = offset
    self.size = size
    total = octets.size
    bytes = octets.state
  }

  subscript(index: Int) -> ArraySlice<UInt8> { bytes[range(index..<index + 1)] }

  /// The octets of these pieces, which are adjacent.
  func range(_ indices: Range<Int>) -> Range<Int> {
    start + indices.lowerBound * size..<start + indices.upperBound * size
  }

  /// Writes the fragment header that precedes a piece in its packet.
  func writeHeader(_ index: Int, to bytes: UnsafeMutableRawBufferPointer) {
    Fragment.writeHeader(
      record: record, total: total, offset: offset + index * size, size: size, to: bytes)
  }

  /// Passes these pieces to `body` as one.
  func read<Result>(_ indices: Range<Int>, _ body: (FragmentView) -> Result) -> Result {
    bytes.withUnsafeBytes { bytes in
      body(
        FragmentView(
          record: record, total: WireCount(total),
          offset: WireCount(offset + indices.lowerBound * size),
          bytes: UnsafeRawBufferPointer(rebasing: bytes[range(indices)])))
    }
  }
}
