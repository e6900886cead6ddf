import SurfBasics
import SurfTransport
import SurfWire

/// Packets of a session that a viewer keeps for others, as they came: the newest, within a bound
/// (Protocol.md §A.1).
///
/// Adding a packet costs a copy and a table entry: every packet that a viewer follows passes here.
/// Packets lie in large blocks in the order in which they came, and the table, with one place for
/// every sequence, says where. A packet goes with the oldest block, or when its place is needed.
struct HeldPackets: Sendable {
  /// Where a packet lies.
  private struct Place: Sendable {
    /// 0: nowhere.
    var sequence: SequenceNumber = 0
    var block: UInt32 = 0
    /// In octets within the block; at most 256 Ki.
    var start: UInt32 = 0
  }

  private struct Block: Sendable {
    var bytes: [UInt8]
    var count = 0
  }

  /// The most octets of packets; the table takes a thirtieth of that in addition.
  private var sizeMax: Int
  private let blockSize: Int
  private let placeCountMax: Int
  /// The octets before every open packet's frames.
  private let header: [UInt8]
  private var blocks = Queue<Block>()
  /// The block that is being written; behind all others.
  private var tail = Block(bytes: [])
  /// The first block's number, counted from the start.
  private var firstBlock: UInt32 = 0
  /// A power of two; empty until there is a packet.
  private var places: [Place] = []
  private var newest: SequenceNumber = 0
  private var listed: (runs: [ClosedRange<SequenceNumber>], at: Duration)?

  /// A stream with smaller packets is held for less than its bound.
  private static let packetSizeMin = 512
  /// Few enough to look through them all for every seek.
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

  /// Octets in use.
  var size: Int { (blocks.count + 1) * blockSize }

  // MARK: Adding

  mutating func add(_ packet: PacketView) {
    let sequence = packet.sequence
    let size = packet.sealed?.count ?? header.count + packet.frames.count
    guard size <= Limits.datagramSizeMax, makePlace(for: sequence) else { return }
    if tail.bytes.count - tail.count < size + 2 { beginBlock() }
    let start = tail.count
    tail.bytes.withUnsafeMutableBytes { bytes in
      // The size comes first, as a packet itself does not say it.
      bytes.storeBytes(of: UInt16(size), toByteOffset: start, as: UInt16.self)
      let room = UnsafeMutableRawBufferPointer(rebasing: bytes[(start + 2)..<(start + 2 + size)])
      Self.write(packet, behind: header, into: room)
    }
    tail.count = start + 2 + size
    places[index(of: sequence)] = Place(
      sequence: sequence, block: tailNumber, start: UInt32(start))
  }

  /// - Parameter header: of an open one.
  /// - Parameter room: as large as it takes.
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

  /// False if the packet is here, or too old to have a place.
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

  /// Whether the table reaches back to it from the newest.
  private func hasReach(of sequence: SequenceNumber) -> Bool {
    sequence.distance(to: newest) < WireCount(places.count)
  }

  /// Whether another packet has its place.
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

  /// Removes the oldest block, if there is too much.
  private mutating func popExcess() -> Block? {
    guard (blocks.count + 1) * blockSize > sizeMax, let oldest = blocks.popFirst() else {
      return nil
    }
    firstBlock &+= 1
    return oldest
  }

  /// Releases the oldest packets beyond the new bound; the newest block stays.
  mutating func limit(to sizeMax: Int) {
    self.sizeMax = Self.bound(sizeMax)
    while popExcess() != nil { listed = nil }
  }

  // MARK: Finding

  /// The datagram of a packet, which the caller must mark; nil if it is not here.
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

  /// The longest run of `wanted` that is here without a gap, and for a while yet, as of a moment
  /// ago.
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

  /// Of a full store, the oldest eighth is left out: it would be gone before a viewer asks for it.
  private func isToStay(_ place: Place) -> Bool {
    let isFull = (blocks.count + 2) * blockSize > sizeMax
    let leaving = isFull ? UInt32(max(1, blocks.count / 8)) : 0
    return isHere(place) && place.block &- firstBlock >= leaving
  }

  /// From the newest back: in a stream with this many gaps, older runs are not worth having.
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
