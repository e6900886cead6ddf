import SurfWire

/// The packets that the windows of a stream have still to read: those that are missing, and those
/// that are here and wait for an older one (Protocol.md §10.3). One for all windows: a packet is
/// missing, or held, or was asked for, whoever wants it.
struct PacketStore: Sendable {
  /// The sequence after the newest packet known to exist.
  private(set) var horizon: SequenceNumber
  var missing = MissingRuns()
  private var held: [SequenceNumber: [UInt8]] = [:]
  /// Held packets that a window has read since the last release.
  private var read: [SequenceNumber] = []
  /// Octets of the held packets.
  private(set) var size = 0

  /// Packets that may wait for an older one: about 48 MiB. Further packets are asked for again.
  private static let heldCountMax = 32_768
  /// The cost of holding a packet besides its octets: an array's head and a place in a dictionary.
  private static let heldOverhead = 96

  init(from first: SequenceNumber) { horizon = first }

  var heldCount: Int { held.count }
  var hasRoom: Bool { held.count < Self.heldCountMax }

  /// Learns that packets up to `newest` exist. They are missing until they come; `due` says when to
  /// ask for them.
  mutating func extend(to newest: SequenceNumber, due: Duration) {
    guard newest >= horizon else { return }
    missing.want(horizon..<newest.next, due: due)
    horizon = newest.next
  }

  /// A window has been opened that wants these: what is not here is missing.
  mutating func want(_ packets: Range<SequenceNumber>, due: Duration) {
    let wanted = packets.clamped(to: 0..<horizon)
    missing.want(wanted, due: due)
    for sequence in held.keys where wanted.contains(sequence) { _ = missing.remove(sequence) }
  }

  /// Whether the packet is not here, and was not given up.
  func wants(_ sequence: SequenceNumber) -> Bool {
    sequence >= horizon || missing.contains(sequence)
  }

  /// The newest packet has come, and was read at once by all who want it.
  mutating func pass(_ sequence: SequenceNumber) { horizon = sequence.next }

  /// Holds a packet that it wants, and misses those before it.
  mutating func take(_ packet: PacketView, gapDue: @autoclosure () -> Duration) {
    let sequence = packet.sequence
    if sequence > horizon { extend(to: sequence.previous, due: gapDue()) }
    horizon = max(horizon, sequence.next)
    _ = missing.remove(sequence)
    held[sequence] = [UInt8](packet.frames)
    size += packet.frames.count + Self.heldOverhead
  }

  /// Reads a packet if it is here.
  mutating func visit(
    _ sequence: SequenceNumber, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Bool {
    guard let frames = held[sequence] else { return false }
    frames.withUnsafeBytes(body)
    read.append(sequence)
    return true
  }

  /// The first packet from this one on that is here or missing.
  func nextKnown(from sequence: SequenceNumber) -> SequenceNumber {
    let here = held.keys.lazy.filter { $0 >= sequence }.min()
    return min(missing.first(from: sequence) ?? horizon, here ?? horizon)
  }

  /// Forgets what was read and lies in none of these ranges, which windows have still to read.
  mutating func release(for windows: [Range<SequenceNumber>]) {
    for sequence in read where !windows.contains(where: { $0.contains(sequence) }) {
      forget(sequence)
    }
    read.removeAll(keepingCapacity: true)
    // A dictionary keeps its room when it is emptied.
    if held.isEmpty, held.capacity > 1_024 { held = [:] }
  }

  /// A window was closed: forgets, and no longer misses, what is in none of these.
  mutating func keep(for windows: [Range<SequenceNumber>]) {
    missing.keep(windows)
    for sequence in held.keys where !windows.contains(where: { $0.contains(sequence) }) {
      forget(sequence)
    }
  }

  /// Forgets all that it holds and misses.
  mutating func forgetHeld() {
    (held, size, read) = ([:], 0, [])
    missing.abandonAll()
  }

  private mutating func forget(_ sequence: SequenceNumber) {
    guard let frames = held.removeValue(forKey: sequence) else { return }
    size -= frames.count + Self.heldOverhead
  }
}
