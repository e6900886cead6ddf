import SurfWire

/// A stretch of a stream that is read in order: packets in, events out (Protocol.md §10.3).
struct Window: Sendable {
  /// The next sequence to be read.
  private(set) var next: SequenceNumber
  /// The sequence after this window's last.
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

  /// Reads the next packet past the store: nobody else wants it.
  mutating func receive(_ packet: PacketView, into events: inout [ObserverEvent]) {
    next = next.next
    assembler.receive(packet.frames, into: &events)
  }

  /// Reads on up to the next packet that may still come. Those that will not are lost.
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

  /// Records in progress will not be finished.
  mutating func skip() { assembler.skip() }
}
