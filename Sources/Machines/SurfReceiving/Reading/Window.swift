import SurfWire

/// A stretch of a stream that a `SessionReader` reads in order: packets in, events out (Protocol.md
/// §10.3).
struct Window: Sendable {
  /// The next packet to read.
  private(set) var next: SequenceNumber
  /// The packet after the last.
  var end: SequenceNumber
  private(set) var assembler: Assembler

  /// - Parameter end: exclusive; `.max` for a window that follows the stream.
  init(of session: SessionID, from first: SequenceNumber, to end: SequenceNumber = .max) {
    assembler = Assembler(of: session)
    next = first
    self.end = end
  }

  var isComplete: Bool { next >= end }
  /// The packets that it has still to read.
  var rest: Range<SequenceNumber> { min(next, end)..<end }

  /// Reads the next packet without the store, because no other window wants it.
  mutating func receive(_ packet: PacketView, into events: inout [ObserverEvent]) {
    next = next.next
    assembler.receive(packet.frames, into: &events)
  }

  /// Reads up to the next packet that may still arrive. Skips packets that were given up.
  mutating func read(_ packets: inout PacketStore, into events: inout [ObserverEvent]) {
    let end = min(end, packets.horizon)
    while next < end {
      if packets.visit(next, { assembler.receive($0, into: &events) }) {
        next = next.next
      } else if packets.missing.contains(next) {
        return
      } else {
        assembler.skip()
        next = min(packets.nextKnown(from: next), end)
      }
    }
  }

  /// Drops the records in progress.
  mutating func skip() { assembler.skip() }
}
