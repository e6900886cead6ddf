import SurfWire

/// The packets that the windows of a `SessionReader` have not read yet: missing packets, and
/// packets that wait for an older one (Protocol.md §10.3). All windows share it. Missing packets
/// include those requested from another viewer.
struct PacketStore: Sendable {
  /// The sequence number after the newest packet known to exist.
  private(set) var horizon: SequenceNumber
  var missing = MissingRuns()
  private var held: [SequenceNumber: [UInt8]] = [:]
  /// Held packets that a window has read since the last release.
  private var read: [SequenceNumber] = []
  /// Octets of the held packets.
  private(set) var size = 0

  /// Packets that may wait for an older one: about 48 MiB. `SessionReader.offer` drops further
  /// ones, and requests them again, except a packet that a window reads next.
  private static let heldCountMax = 32_768
  /// The memory that a held packet takes beyond its octets: an array header and a dictionary slot.
  private static let heldOverhead = 96

  init(from first: SequenceNumber) { horizon = first }

  var heldCount: Int { held.count }
  var hasRoom: Bool { held.count < Self.heldCountMax }

  /// Learns that packets up to `newest` exist. They count as missing, and are requested at `due`.
  mutating func extend(to newest: SequenceNumber, due: Duration) {
    guard newest >= horizon else { return }
    missing.want(horizon..<newest.next, due: due)
    horizon = newest.next
  }

  /// A new window wants these packets. Those that are not here count as missing.
  mutating func want(_ packets: Range<SequenceNumber>, due: Duration) {
    let wanted = packets.clamped(to: 0..<horizon)
    missing.want(wanted, due: due)
    for sequence in held.keys where wanted.contains(sequence) { _ = missing.remove(sequence) }
  }

  /// Whether the packet is new and was not given up.
  func wants(_ sequence: SequenceNumber) -> Bool {
    sequence >= horizon || missing.contains(sequence)
  }

  /// Skips the newest packet: every window that wants it has read it.
  mutating func pass(_ sequence: SequenceNumber) { horizon = sequence.next }

  /// Holds a packet that the store wants. The unknown packets before it count as missing.
  mutating func take(_ packet: PacketView, gapDue: @autoclosure () -> Duration) {
    let sequence = packet.sequence
    if sequence > horizon { extend(to: sequence.previous, due: gapDue()) }
    horizon = max(horizon, sequence.next)
    _ = missing.remove(sequence)
    held[sequence] = [UInt8](packet.frames)
    size += packet.frames.count + Self.heldOverhead
  }

  /// Passes the frames of a packet to `body`. False if the packet is not here.
  mutating func visit(
    _ sequence: SequenceNumber, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    guard let frames = held[sequence] else { return false }
    frames.withUnsafeBytes(body)
    read.append(sequence)
    return true
  }

  /// The first packet from this one on that is held or missing.
  func nextKnown(from sequence: SequenceNumber) -> SequenceNumber {
    let here = held.keys.lazy.filter { $0 >= sequence }.min()
    return min(missing.first(from: sequence) ?? horizon, here ?? horizon)
  }

  /// Drops packets that were read and that no window has still to read.
  mutating func release(for windows: [Range<SequenceNumber>]) {
    for sequence in read where !windows.contains(where: { $0.contains(sequence) }) {
      forget(sequence)
    }
    read.removeAll(keepingCapacity: true)
    // A dictionary keeps its capacity when it is emptied.
    if held.isEmpty, held.capacity > 1_024 { held = [:] }
  }

  /// Drops held and missing packets outside the ranges, after a window was closed.
  mutating func keep(for windows: [Range<SequenceNumber>]) {
    missing.keep(windows)
    for sequence in held.keys where !windows.contains(where: { $0.contains(sequence) }) {
      forget(sequence)
    }
  }

  /// Drops all held and missing packets.
  mutating func forgetHeld() {
    (held, size, read) = ([:], 0, [])
    missing.abandonAll()
  }

  private mutating func forget(_ sequence: SequenceNumber) {
    guard let frames = held.removeValue(forKey: sequence) else { return }
    size -= frames.count + Self.heldOverhead
  }
}

extension SessionReader {
  /// What became of a packet: new, already known, or refused because the store is full.
  enum Arrival { case taken, duplicate, beyond }

  struct Tally {
    private(set) var taken = 0
    private(set) var duplicates = 0
    private(set) var beyond = 0

    mutating func count(_ arrival: Arrival) {
      switch arrival {
      case .taken: taken += 1
      case .duplicate: duplicates += 1
      case .beyond: beyond += 1
      }
    }
  }
}
