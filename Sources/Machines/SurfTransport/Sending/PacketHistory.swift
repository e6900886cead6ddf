import SurfBasics
import SurfWire

/// The packets of a session that its `Sender` can still send, or send again, limited in size and
/// age.
///
/// They are consecutive. The packets of the newest state are kept in addition, however old: a late
/// joiner can always see where the app is.
struct PacketHistory: Sendable {
  /// The octets that every packet begins with.
  private let header: [UInt8]
  /// The largest datagram, in octets.
  let datagramSize: Int
  var sizeMax: Int
  private let ageMax: Duration
  /// Packets of a block.
  private let blockPacketCount: Int

  private var blocks = Queue<PacketBlock>()
  /// The block that is being written, after all others.
  private var tail: PacketBlock
  private var pinned: [PacketBlock] = []
  /// The octets of the record that is being added.
  private var octets = RecordOctets()
  /// The memory of an evicted block, for reuse.
  private var spare: [UInt8] = []
  private var writtenSize = 0
  private var sentSize = 0

  /// The trailing edge.
  private(set) var oldest: SequenceNumber = 1
  /// The next packet to send for the first time.
  private(set) var nextUnsent: SequenceNumber = 1
  private(set) var states = StatePlaces()
  private(set) var records = RecordPlaces()
  /// Octets of evicted blocks.
  private var evictedSize = 0

  init(session: SessionID, datagramSize: Int, sizeMax: Int, ageMax: Duration) {
    header = DataPacket.header(session: session)
    self.datagramSize = datagramSize
    self.sizeMax = sizeMax
    self.ageMax = ageMax
    // As much as one call can send, or less if one block would fill a small history.
    blockPacketCount = min(PacketRun.sizeMax / datagramSize, max(1, sizeMax / 8 / datagramSize))
    tail = PacketBlock(first: 1, size: 0)
  }

  /// The sequence number after the newest packet, even if that is still open.
  var end: SequenceNumber { tail.openSize > 0 ? tail.end.next : tail.end }
  var unsentCount: WireCount { nextUnsent.distance(to: end) }
  var unsentSize: Int { writtenSize + tail.openSize - sentSize }
  /// Octets held within the limit.
  var size: Int { writtenSize + tail.openSize - evictedSize }
  /// Octets of the newest state that are held beyond the limit.
  var pinnedSize: Int { pinned.reduce(0) { $0 + $1.size } }
}

// MARK: - Writing (Protocol.md §9)

extension PacketHistory {
  /// A smaller piece of a large record is not worth a frame at the end of a packet.
  private static let fragmentSizeMin = 128
  private static let fragmentOverhead = Frame.headerSize + Fragment.headerSize
  /// Octets of padding that make a packet as large as its neighbours.
  private static let paddingSizeMax = 184

  /// Octets of frames that fit in one packet.
  private var capacity: Int { datagramSize - DataPacket.overhead }
  private var room: Int { tail.openSize == 0 ? capacity : datagramSize - tail.openSize }

  mutating func add(_ record: Record) {
    octets.encode(record)
    let size = octets.size
    if Frame.headerSize + size <= capacity {
      prepare(Frame.headerSize + size)
      begin(record)
      tail.write(octets, 0..<size, behind: Frame.headerSize) {
        Frame.writeRecordHeader(size: size, to: $0)
      }
    } else {
      addFragments(of: record)
    }
    octets.release()
    states.end(record)
  }

  mutating func add(_ frame: Frame) {
    var encoded: [UInt8] = []
    frame.append(to: &encoded)
    prepare(encoded.count)
    tail.write(encoded.count) { $0.copyBytes(from: encoded) }
  }

  private mutating func addFragments(of record: Record) {
    prepare(Self.fragmentOverhead + Self.fragmentSizeMin)
    begin(record)
    var offset = addFragment(of: record.sequence, from: 0)
    while offset < octets.size {
      if let pieces = wholeBlock(of: record.sequence, from: offset) {
        addBlock(pieces)
        offset += blockPacketCount * pieces.size
      } else {
        prepare(Self.fragmentOverhead + 1)
        offset = addFragment(of: record.sequence, from: offset)
      }
    }
  }

  /// Copies as much as fits. Returns where the rest begins.
  private mutating func addFragment(of record: SequenceNumber, from offset: Int) -> Int {
    let size = octets.size
    let end = min(size, offset + room - Self.fragmentOverhead)
    tail.write(octets, offset..<end, behind: Self.fragmentOverhead) {
      Fragment.writeHeader(
        record: record, total: size, offset: offset, size: end - offset, to: $0)
    }
    return end
  }

  /// The next octets of a state, if they fill a whole block and one must begin. Copying a megabyte
  /// would cost as much as sending it.
  private func wholeBlock(of record: SequenceNumber, from offset: Int) -> RecordPieces? {
    guard tail.room < datagramSize else { return nil }
    return RecordPieces(
      of: octets, record, from: offset, count: blockPacketCount,
      size: capacity - Self.fragmentOverhead)
  }

  /// Adds a block with one fragment in each packet. Only the headers are written.
  private mutating func addBlock(_ pieces: RecordPieces) {
    closePacket()
    if !tail.isEmpty { blocks.append(tail) }
    let headSize = header.count + Self.fragmentOverhead
    var block = PacketBlock(first: tail.end, size: blockPacketCount * headSize, pieces: pieces)
    for index in 0..<blockPacketCount {
      let (header, sequence) = (header, block.end)
      block.write(headSize) { bytes in
        Self.write(header, sequence, to: bytes)
        pieces.writeHeader(
          index, to: UnsafeMutableRawBufferPointer(rebasing: bytes[header.count...]))
      }
      // No record begins or ends in it.
      block.closePacket(newestRecord: records.newestWritten)
    }
    writtenSize += block.size
    tail = PacketBlock(first: block.end, size: 0)
    blocks.append(block)
  }

  private mutating func begin(_ record: Record) {
    records.begin(record)
    states.begin(record, in: tail.end)
  }

  /// Ensures a packet with `size` more octets free.
  private mutating func prepare(_ size: Int) {
    if tail.openSize > 0, size > datagramSize - tail.openSize {
      pad()
      closePacket()
    }
    guard tail.openSize == 0 else { return }
    if tail.room < datagramSize { beginBlock() }
    let (header, sequence) = (header, tail.end)
    tail.write(header.count) { Self.write(header, sequence, to: $0) }
  }

  private static func write(
    _ header: [UInt8], _ sequence: SequenceNumber, to bytes: UnsafeMutableRawBufferPointer
  ) {
    bytes.copyBytes(from: header)
    DataPacket.number(bytes, as: sequence)
  }

  /// Makes the packet as large as its neighbours if that wastes little: packets sent with one call
  /// must have the same size.
  private mutating func pad() {
    let missing = datagramSize - tail.openSize
    guard missing <= Self.paddingSizeMax else { return }
    tail.write(missing) { $0.initializeMemory(as: UInt8.self, repeating: 0) }
  }

  private mutating func beginBlock() {
    if !tail.isEmpty { blocks.append(tail) }
    var buffer: [UInt8] = []
    swap(&buffer, &spare)
    tail = PacketBlock(first: tail.end, size: blockPacketCount * datagramSize, reusing: buffer)
  }

  private mutating func closePacket() {
    guard tail.openSize > 0 else { return }
    let sequence = tail.end
    writtenSize += tail.openSize
    records.close(sequence)
    states.close(sequence)
    tail.closePacket(newestRecord: records.newestWritten)
  }
}

// MARK: - Sending

extension PacketHistory {
  /// Takes packets to send for the first time: one run of at most `countMax` packets and `sizeMax`
  /// octets.
  mutating func sendNext(countMax: Int, sizeMax: Int, at now: Duration) -> PacketRun? {
    guard !unsentCount.isZero else { return nil }
    // A packet that can leave now does not wait for more records. One that must wait anyway is
    // filled up.
    if unsentCount <= WireCount(countMax) { closePacket() }
    let (sequence, oldest) = (nextUnsent, oldest)
    let (run, range) = withBlock(of: sequence) { block in
      let range = block.run(from: sequence, countMax: countMax, sizeMax: sizeMax)
      block.sentAt = now
      return (block.stamped(range, oldestPacket: oldest), range)
    }
    nextUnsent = range.upperBound
    sentSize += run.size
    records.noteSent(before: nextUnsent)
    if states.noteSent(before: nextUnsent) { pinned = pinned.filter(isPinned) }
    return run
  }

  private mutating func withBlock<Result>(
    of sequence: SequenceNumber, _ body: (inout PacketBlock) -> Result
  ) -> Result {
    guard sequence < tail.first else { return body(&tail) }
    return blocks.update(blocks.partitionPoint { $0.end > sequence }, body)
  }
}

// MARK: - Keeping

extension PacketHistory {
  /// Evicts packets beyond the size or age limit. Unsent packets stay.
  mutating func evict(at now: Duration) {
    while let block = blocks.first ?? agedTail(at: now), block.end <= nextUnsent,
      writtenSize - evictedSize > sizeMax || now - block.sentAt > ageMax
    {
      if blocks.isEmpty { beginBlock() }
      _ = blocks.popFirst()
      evictedSize += block.size
      records.forget(to: block.newestRecord)
      oldest = block.end
      states.forget(before: oldest)
      if isPinned(block) { pinned.append(block) } else { spare = block.recycled() ?? spare }
    }
  }

  /// The newest packets are evicted only for their age.
  private func agedTail(at now: Duration) -> PacketBlock? {
    !tail.isEmpty && tail.openSize == 0 && now - tail.sentAt > ageMax ? tail : nil
  }

  private func isPinned(_ block: PacketBlock) -> Bool { states.need(block.first..<block.end) }

  /// Whether a packet was sent and is still here.
  func holds(_ sequence: SequenceNumber) -> Bool {
    sequence < nextUnsent && block(of: sequence) != nil
  }

  /// A sent packet that is still here.
  subscript(sequence: SequenceNumber) -> ArraySlice<UInt8>? {
    sequence < nextUnsent ? written(sequence) : nil
  }

  /// - Precondition: the packet is complete.
  private func written(_ sequence: SequenceNumber) -> ArraySlice<UInt8>? {
    block(of: sequence)?.packet(sequence)
  }

  private func block(of sequence: SequenceNumber) -> PacketBlock? {
    if sequence >= tail.first { return tail }
    if sequence >= oldest { return blocks[blocks.partitionPoint { $0.end > sequence }] }
    return pinned.first { $0.first <= sequence && sequence < $0.end }
  }

  /// The state of a record, if its packets are held. The newest state always is.
  func state(of record: SequenceNumber) -> Content? {
    let located = locate(since: record).flatMap { $0.record == record ? $0.packet : nil }
    // The base of the newest state may be older than all other packets here.
    for case let start? in [located, states.newest?.lowerBound] {
      if let state = state(of: record, from: start) { return state }
    }
    return nil
  }

  private func state(of record: SequenceNumber, from start: SequenceNumber) -> Content? {
    let reader = StateReader(record)
    var next = start
    while next < nextUnsent {
      var progress = StateReader.Progress.unread
      if let block = block(of: next) {
        (progress, next) = block.read(next..<nextUnsent, by: reader)
      } else {
        // Packets between the newest state and its base may be gone. They contain no state.
        next = next.next
      }
      switch progress {
      case .unread: continue
      case .found(let state): return state
      case .absent: return nil
      }
    }
    return nil
  }

  /// Where a reader in this process begins: the oldest record that is completely here, and the
  /// packet that its state can be made from.
  var beginning: (record: SequenceNumber, packet: SequenceNumber) {
    locate(since: 1) ?? (records.oldest, oldest)
  }

  /// Copies of packets from `first` on, sent or not, of about `sizeMax` octets in all.
  mutating func copy(
    from first: SequenceNumber, sizeMax: Int
  ) -> (packets: [[UInt8]], next: SequenceNumber) {
    // Without a network, nothing else closes the packet that is being written.
    if first >= tail.end { closePacket() }
    var (packets, next, size) = ([[UInt8]](), first, 0)
    while next < tail.end, size < sizeMax {
      if let packet = written(next) { packets.append(Array(packet)) }
      // Looking for an evicted packet also takes time, and a lock is held.
      size += packets.last?.count ?? 16
      next = next.next
    }
    return (packets, next)
  }

  /// The oldest available record from `record` on, if any, and the packet to start from: its own
  /// first packet, or that of its keyframe.
  func locate(since record: SequenceNumber) -> (record: SequenceNumber, packet: SequenceNumber)? {
    let wanted = max(record, records.oldest)
    guard wanted <= records.newestSent.record else { return nil }
    let index = blocks.partitionPoint { ($0.newestRecord ?? 0) >= wanted }
    let block = index < blocks.count ? blocks[index] : tail
    let packet = block.firstPacket(from: wanted)
    // A delta is useless without its base.
    return (wanted, states.start(of: wanted) ?? packet)
  }
}
