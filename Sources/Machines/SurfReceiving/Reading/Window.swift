import SurfBasics
import SurfWire

/// A stretch of a stream that a `SessionReader` reads in order: packets in, events out (Protocol.md
/// §10.3).
struct Window: Sendable {
  private let session: SessionID
  /// The next packet to read.
  private(set) var next: SequenceNumber
  /// The packet after the last.
  var end: SequenceNumber

  /// The records in progress, in the order that they began.
  private var open: [PartialRecord] = []
  private var texts = TextMemory()
  /// The newest record that any piece belongs to, even if its beginning is missing.
  private(set) var newestFragmented: SequenceNumber = 0
  /// Invalid frames, by reason.
  private(set) var drops: [String: Int] = [:]

  /// - Parameter end: exclusive; `.max` for a window that follows the stream.
  init(of session: SessionID, from first: SequenceNumber, to end: SequenceNumber = .max) {
    self.session = session
    next = first
    self.end = end
  }

  var isComplete: Bool { next >= end }
  /// The packets that it has still to read.
  var rest: Range<SequenceNumber> { min(next, end)..<end }

  /// Reads the next packet without the store, because no other window wants it.
  mutating func receive(_ packet: PacketView, into events: inout [ObserverEvent]) {
    next = next.next
    receive(packet.frames, into: &events)
  }

  /// Reads up to the next packet that may still arrive. Skips packets that were given up.
  mutating func read(_ packets: inout PacketStore, into events: inout [ObserverEvent]) {
    let end = min(end, packets.horizon)
    while next < end {
      if packets.visit(next, { receive($0, into: &events) }) {
        next = next.next
      } else if packets.missing.contains(next) {
        return
      } else {
        // The packet is lost for good, so records in progress cannot be finished.
        skip()
        next = min(packets.nextKnown(from: next), end)
      }
    }
  }

  /// Drops the records in progress.
  mutating func skip() { open.removeAll() }
}

// Builds records from the frames of the packets (Protocol.md §9).
extension Window {
  /// Octets of unfinished records.
  var openSize: Int { open.reduce(0) { $0 + $1.size } }
  var openCount: Int { open.count }
  /// The unfinished records, a few at most.
  var openRecords: [SequenceNumber] { open.map(\.record) }

  func isOpen(_ record: SequenceNumber) -> Bool { open.contains { $0.record == record } }

  /// Appends the records that the next packet's frames complete. Drops an invalid frame with the
  /// rest of the packet: where the next frame starts would be a guess.
  private mutating func receive(
    _ body: UnsafeRawBufferPointer, into events: inout [ObserverEvent]
  ) {
    var reader = FrameReader(body)
    do throws(WireError) {
      while let frame = try reader.next() {
        switch frame.kind {
        case .record: receive(record: frame.body, into: &events)
        case .fragment: receive(try FragmentView(decoding: frame.body), into: &events)
        case .restored: events.append(.restored(session, try Restored(decoding: frame.body)))
        }
      }
    } catch {
      drop(error)
    }
  }

  /// Protocol.md §7.1: a malformed record is skipped alone.
  private mutating func receive(
    record bytes: UnsafeRawBufferPointer, into events: inout [ObserverEvent]
  ) {
    do throws(WireError) {
      events.append(.record(session, ArrivedRecord(try Record(decoding: bytes, texts: &texts))))
    } catch {
      drop(error)
    }
  }

  private mutating func receive(_ fragment: FragmentView, into events: inout [ObserverEvent]) {
    newestFragmented = max(newestFragmented, fragment.record)
    if fragment.offset.isZero { begin(fragment) }
    // The beginning is missing: the window opens, or a packet was lost, within this record.
    guard let index = open.indices.last(where: { open[$0].record == fragment.record }) else {
      return
    }
    // In place: a copy for each of a thousand pieces would be expensive.
    switch open[index].take(fragment) {
    case .partial: return
    case .complete: finish(open.remove(at: index), into: &events)
    case .misfit:
      // Nothing of a record arrives twice, so a piece that does not fit now never will.
      open.remove(at: index)
      drops.count("misfit fragment")
    }
  }

  private mutating func finish(
    _ complete: consuming PartialRecord, into events: inout [ObserverEvent]
  ) {
    do throws(WireError) {
      events.append(.record(session, ArrivedRecord(try complete.finish())))
    } catch {
      drop(error)
    }
  }

  private mutating func drop(_ error: WireError) { drops.count(error.reason) }

  /// Evicts the record that began first: a sender that has begun four others has abandoned it.
  private mutating func begin(_ fragment: FragmentView) {
    open.removeAll { $0.record == fragment.record }
    if open.count >= Limits.openRecordCountMax {
      open.removeFirst()
      drops.count("open records")
    }
    open.append(PartialRecord(record: fragment.record, total: fragment.total))
  }
}
