import SurfWire

/// A stretch of a stream that is put in order: packets in, items out, and a list of missing packets
/// (Protocol.md §10.3).
struct Window: Sendable {
  enum Arrival {
    case taken, duplicate, beyond

    /// Combines the packet's results in two windows.
    mutating func merge(_ other: Arrival) {
      if self == .duplicate || other == .taken { self = other }
    }
  }

  /// The next sequence to be delivered.
  private(set) var next: SequenceNumber
  /// The sequence after the newest packet known to exist.
  private(set) var horizon: SequenceNumber
  /// The sequence after this window's last.
  let end: SequenceNumber
  var missing = MissingRuns()
  private(set) var assembler = Assembler()
  /// Frames of packets for which an older one is missing.
  private var early: [SequenceNumber: [UInt8]] = [:]
  private var earlySize = 0

  /// Packets that may wait for an older one: about 48 MiB. Further packets are asked for again.
  private static let earlyCountMax = 32_768
  /// The cost of holding a packet besides its octets: an array's head and a place in a dictionary.
  private static let earlyOverhead = 96

  /// - Parameter end: exclusive; `.max` for a window that follows the stream.
  init(from first: SequenceNumber, to end: SequenceNumber = .max) {
    next = first
    horizon = first
    self.end = end
  }

  var isComplete: Bool { next >= end }
  /// Every packet known to exist was delivered.
  var isCaughtUp: Bool { next == horizon }

  /// Learns that packets up to `newest` exist. They are missing until they come; `due` says when to
  /// ask for them.
  mutating func extend(to newest: SequenceNumber, due: Duration) {
    let newHorizon = min(newest.next, end)
    guard newHorizon > horizon else { return }
    missing.append(horizon, newHorizon, due: due)
    horizon = newHorizon
  }

  /// Whether a packet of this window is not here, and was not given up.
  func wants(_ sequence: SequenceNumber) -> Bool {
    guard sequence >= next, sequence < end else { return false }
    return sequence >= horizon || missing.contains(sequence)
  }

  mutating func receive(
    _ packet: PacketView, gapDue: @autoclosure () -> Duration, into items: inout [Assembler.Item]
  ) -> Arrival {
    let sequence = packet.sequence
    if sequence == next, next == horizon, sequence < end {
      // Nothing is missing and nothing waits: the path of nearly every packet.
      next = next.next
      horizon = next
      assembler.receive(packet.frames, into: &items)
      return .taken
    }
    guard sequence >= next, sequence < end else { return .duplicate }
    guard early.count < Self.earlyCountMax || sequence == next else { return .beyond }
    if sequence >= horizon {
      if sequence > horizon { extend(to: sequence.previous, due: gapDue()) }
      horizon = sequence.next
    } else if !missing.remove(sequence) {
      return .duplicate
    }
    if sequence == next {
      next = next.next
      assembler.receive(packet.frames, into: &items)
      if next < horizon { advance(into: &items) }
    } else {
      early[sequence] = [UInt8](packet.frames)
      earlySize += packet.frames.count + Self.earlyOverhead
    }
    return .taken
  }

  /// Gives up packets that the app forgot: those below `edge`, except for `kept`.
  mutating func abandon(
    below edge: SequenceNumber, keeping kept: Range<SequenceNumber>,
    into items: inout [Assembler.Item]
  ) {
    guard next < edge, next < end else { return }
    extend(to: min(edge, end).previous, due: .zero)
    missing.abandon(below: edge, keeping: kept)
    advance(into: &items)
  }

  /// Gives up all that is missing.
  mutating func abandonAll(into items: inout [Assembler.Item]) {
    missing.abandonAll()
    advance(into: &items)
    // Records in progress will not be finished.
    assembler.skip()
  }

  /// Octets of unfinished data.
  var unfinishedSize: Int { earlySize + assembler.openSize }

  /// Forgets packets that are held back, which are missing again, and records in progress, which
  /// are lost. Returns how many packets and records that were.
  mutating func forgetUnfinished(at now: Duration) -> Int {
    let count = early.count + assembler.openCount
    guard count > 0 else { return 0 }
    (early, earlySize) = ([:], 0)
    assembler.skip()
    missing.abandonAll()
    missing.append(next, horizon, due: now)
    return count
  }

  private mutating func advance(into items: inout [Assembler.Item]) {
    while next < horizon {
      if let frames = early.removeValue(forKey: next) {
        next = next.next
        earlySize -= frames.count + Self.earlyOverhead
        // A dictionary keeps its room when it is emptied.
        if early.isEmpty, early.capacity > 1_024 { early = [:] }
        frames.withUnsafeBytes { assembler.receive($0, into: &items) }
      } else if missing.first == next {
        return
      } else {
        assembler.skip()
        // Neither here nor expected: lost, up to the next packet that is.
        next = min(missing.first ?? horizon, early.keys.min() ?? horizon)
      }
    }
  }
}
