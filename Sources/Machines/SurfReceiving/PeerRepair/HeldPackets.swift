import SurfBasics
import SurfTransport
import SurfWire

/// The newest packets of a session, up to a size limit, that a viewer keeps for other viewers
/// (Protocol.md §A.1). `Repairer` owns it.
///
/// Every packet that a viewer follows is added here, so adding is cheap: one copy and one table
/// entry. Large blocks hold the packets in order of arrival. The table is a ring with one place for
/// each sequence number, and says where the packet is. A packet is evicted with the oldest block,
/// or when another packet needs its place.
struct HeldPackets: Sendable {
  /// Where a packet is.
  private struct Place: Sendable {
    /// 0 for an empty place.
    var sequence: SequenceNumber = 0
    var block: UInt32 = 0
    /// The offset in the block; at most 256 Ki.
    var start: UInt32 = 0
  }

  private struct Block: Sendable {
    var bytes: [UInt8]
    var count = 0
  }

  /// The limit for the blocks, in octets. The table adds about a thirtieth.
  private var sizeMax: Int
  private let blockSize: Int
  private let placeCountMax: Int
  /// The octets in front of the frames of every unsealed packet.
  private let header: [UInt8]
  private var blocks = Queue<Block>()
  /// The block that is being filled, after all others.
  private var tail = Block(bytes: [])
  /// The number of the first block. Blocks are numbered from 0.
  private var firstBlock: UInt32 = 0
  /// The ring. Its size is a power of two; it is empty until there is a packet.
  private var places: [Place] = []
  private var newest: SequenceNumber = 0
  private var listed: (runs: [ClosedRange<SequenceNumber>], at: Duration)?

  /// The table is sized for packets of at least this size. With smaller ones it fills first, and
  /// the blocks stay below their limit.
  private static let packetSizeMin = 512
  /// Few enough to scan all of them for every seek.
  private static let runCountMax = 256
  private static let placeCountMin = 1_024

  /// - Parameter sizeMax: in octets; up to 4 GiB.
  init(session: SessionID, sizeMax: Int) {
    self.sizeMax = Self.bound(sizeMax)
    blockSize = min(256 << 10, self.sizeMax / 8)
    header = DataPacket.header(session: session)
    var count = Self.placeCountMin
    while count * Self.packetSizeMin < self.sizeMax { count *= 2 }
    placeCountMax = count
  }

  private static func bound(_ sizeMax: Int) -> Int {
    min(max(sizeMax, 16 * Limits.datagramSizeMax), 4 << 30)
  }

  // MARK: Adding

  mutating func add(_ packet: PacketView) {
    let sequence = packet.sequence
    let size = packet.sealed?.count ?? header.count + packet.frames.count
    guard size <= Limits.datagramSizeMax, makePlace(for: sequence) else { return }
    if tail.bytes.count - tail.count < size + 2 { beginBlock() }
    let start = tail.count
    tail.bytes.withUnsafeMutableBytes { bytes in
      // A packet does not contain its size, so that goes first.
      bytes.storeBytes(of: UInt16(size), toByteOffset: start, as: UInt16.self)
      let room = UnsafeMutableRawBufferPointer(rebasing: bytes[(start + 2)..<(start + 2 + size)])
      Self.write(packet, behind: header, into: room)
    }
    tail.count = start + 2 + size
    places[index(of: sequence)] = Place(
      sequence: sequence, block: tailNumber, start: UInt32(start))
  }

  /// - Parameter header: for an unsealed packet.
  /// - Parameter room: exactly as large as the datagram.
  private static func write(
    _ packet: PacketView, behind header: [UInt8], into room: UnsafeMutableRawBufferPointer
  ) {
    // Protocol.md §18.5: a viewer seals no packet.
    if let sealed = packet.sealed { return room.copyMemory(from: sealed) }
    room.copyBytes(from: header)
    DataPacket.number(room, as: packet.sequence)
    DataPacket.stamp(room, oldestPacket: packet.oldestPacket)
    UnsafeMutableRawBufferPointer(rebasing: room[header.count...]).copyMemory(from: packet.frames)
  }

  mutating func removeAll() {
    blocks = Queue()
    tail = Block(bytes: [])
    (firstBlock, places, newest, listed) = (0, [], 0, nil)
  }

  private var tailNumber: UInt32 { firstBlock &+ UInt32(blocks.count) }

  private func index(of sequence: SequenceNumber) -> Int { sequence.place(inRingOf: places.count) }

  /// False if the packet is already here, or too old for the table.
  private mutating func makePlace(for sequence: SequenceNumber) -> Bool {
    if places.isEmpty { places = Array(repeating: Place(), count: Self.placeCountMin) }
    newest = max(newest, sequence)
    while places.count < placeCountMax,
      !hasReach(of: sequence) || isTaken(sequence)
    {
      grow()
    }
    let place = places[index(of: sequence)]
    if place.sequence == sequence, isHere(place) { return false }
    return hasReach(of: sequence)
  }

  /// Whether the table reaches back to the packet from the newest.
  private func hasReach(of sequence: SequenceNumber) -> Bool {
    sequence.distance(to: newest) < WireCount(places.count)
  }

  /// Whether another packet occupies its place.
  private func isTaken(_ sequence: SequenceNumber) -> Bool {
    let place = places[index(of: sequence)]
    return place.sequence != sequence && isHere(place)
  }

  private func isHere(_ place: Place) -> Bool {
    place.sequence > 0 && place.block &- firstBlock <= UInt32(blocks.count)
  }

  private mutating func grow() {
    let old = places
    places = Array(repeating: Place(), count: old.count * 2)
    for place in old where isHere(place) { places[index(of: place.sequence)] = place }
  }

  private mutating func beginBlock() {
    var spare: [UInt8] = []
    if !tail.bytes.isEmpty { blocks.append(tail) }
    tail = Block(bytes: [])
    while let oldest = popExcess() { spare = oldest.bytes }
    // Every octet is written before it is read.
    let size = blockSize
    tail.bytes =
      spare.isEmpty ? [UInt8](unsafeUninitializedCapacity: size) { $1 = size } : spare
  }

  /// Removes the oldest block if the blocks exceed the limit.
  private mutating func popExcess() -> Block? {
    guard (blocks.count + 1) * blockSize > sizeMax, let oldest = blocks.popFirst() else {
      return nil
    }
    firstBlock &+= 1
    return oldest
  }

  /// Changes the size limit and evicts the oldest blocks beyond it. The newest block stays.
  mutating func limit(to sizeMax: Int) {
    self.sizeMax = Self.bound(sizeMax)
    while popExcess() != nil { listed = nil }
  }

  // MARK: Finding

  /// The datagram of a packet, if it is here. The caller must set its repair flags.
  subscript(sequence: SequenceNumber) -> ArraySlice<UInt8>? {
    guard sequence > 0, !places.isEmpty else { return nil }
    let place = places[index(of: sequence)]
    guard place.sequence == sequence, isHere(place) else { return nil }
    let number = Int(place.block &- firstBlock)
    let bytes = number < blocks.count ? blocks[number].bytes : tail.bytes
    let start = Int(place.start)
    let size = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: UInt16.self) }
    return bytes[(start + 2)..<(start + 2 + Int(size))]
  }

  /// The longest gapless run of `wanted` that is here and will stay a while, by a list that may be
  /// a moment old.
  mutating func longestRun(of wanted: ClosedRange<SequenceNumber>, at now: Duration)
    -> ClosedRange<SequenceNumber>?
  {
    runs(at: now).filter { $0.overlaps(wanted) }.map { $0.clamped(to: wanted) }
      .max { $0.length < $1.length }
  }

  private mutating func runs(at now: Duration) -> [ClosedRange<SequenceNumber>] {
    if let listed, now - listed.at < Timers.offerMemory { return listed.runs }
    let runs = listRuns()
    listed = (runs, now)
    return runs
  }

  /// Leaves out the oldest eighth of a full store, which would be evicted before a viewer asks for
  /// it.
  private func isToStay(_ place: Place) -> Bool {
    let isFull = (blocks.count + 2) * blockSize > sizeMax
    let leaving = isFull ? UInt32(max(1, blocks.count / 8)) : 0
    return isHere(place) && place.block &- firstBlock >= leaving
  }

  /// Lists runs from the newest back. In a stream with more gaps than the limit, older runs are
  /// useless.
  private func listRuns() -> [ClosedRange<SequenceNumber>] {
    var runs: [ClosedRange<SequenceNumber>] = []
    var last: SequenceNumber?
    let oldest = newest.goingBack(by: WireCount(places.count))
    var sequence = newest
    while sequence > oldest, runs.count < Self.runCountMax {
      let place = places[index(of: sequence)]
      if place.sequence == sequence, isToStay(place) {
        if last == nil { last = sequence }
      } else if let end = last {
        runs.append(sequence.next...end)
        last = nil
      }
      sequence = sequence.previous
    }
    if let last, runs.count < Self.runCountMax { runs.append(sequence.next...last) }
    return runs
  }
}
