import SurfWire

/// A stretch of a stream that is put in order: packets in, items out, and a list of what is missing
/// (Protocol.md §10.3).
struct Window: Sendable {
  enum Arrival {
    case taken, duplicate, beyond

    /// What the packet was for two windows together.
    mutating func merge(_ other: Arrival) {
      if self == .duplicate || other == .taken { self = other }
    }
  }

  /// The next sequence to be delivered.
  private(set) var next: SequenceNumber
  /// The sequence after the newest packet known to exist.
  private(set) var horizon: SequenceNumber
  /// The sequence after the last that this window is for.
  let end: SequenceNumber
  var missing = MissingRuns()
  private(set) var assembler = Assembler()
  /// Frames of packets for which an older one is missing.
  private var early: [SequenceNumber: [UInt8]] = [:]
  private var earlySize = 0

  /// Packets that may wait for an older one: about 48 MiB. What comes later is asked for again.
  private static let earlyCountMax = 32_768
  /// What holding a packet takes besides its octets: an array's head and a place in a dictionary.
  private static let earlyOverhead = 96

  /// - Parameter end: exclusive; `.max` for a window that follows the stream.
  init(from first: SequenceNumber, to end: SequenceNumber = .max) {
    next = first
    horizon = first
    self.end = end
  }

  var isComplete: Bool { next >= end }
  /// Nothing is known to exist that was not delivered.
  var isCaughtUp: Bool { next == horizon }

  /// Learns that packets up to `newest` exist. They are missing until they come; `due` says when
  /// they are to be asked for.
  mutating func extend(to newest: SequenceNumber, due: Duration) {
    let newHorizon = min(newest.next, end)
    guard newHorizon > horizon else { return }
    missing.append(horizon, newHorizon, due: due)
    horizon = newHorizon
  }

  mutating func receive(
    _ packet: PacketView, gapDue: @autoclosure () -> Duration, into items: inout [Assembler.Item]
  ) -> Arrival {
    let sequence = packet.sequence
    if sequence == next, next == horizon, sequence < end {
      // Nothing is missing, and nothing waits: the way that nearly every packet goes.
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

  /// Gives up what is forgotten: what is below `edge`, but for `kept`.
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
    // What has begun will not be finished.
    assembler.skip()
  }

  /// Octets held of what is not finished.
  var unfinishedSize: Int { earlySize + assembler.openSize }

  /// Forgets what is held back, which is missing again, and the records that have begun, which are
  /// lost. Gives how many packets and records that were.
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
        // A dictionary keeps the room that it once had.
        if early.isEmpty, early.capacity > 1_024 { early = [:] }
        frames.withUnsafeBytes { assembler.receive($0, into: &items) }
      } else if missing.first == next {
        return
      } else {
        assembler.skip()
        // Neither here nor expected: lost, up to what is.
        next = min(missing.first ?? horizon, early.keys.min() ?? horizon)
      }
    }
  }
}
