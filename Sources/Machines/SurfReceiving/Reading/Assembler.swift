import SurfBasics
import SurfWire

/// Builds records from the frames of a `Window`'s packets, in order (Protocol.md §9).
struct Assembler: Sendable {
  private let session: SessionID
  /// In the order that they began.
  private var open: [PartialRecord] = []
  private var texts = TextMemory()

  /// The newest record that any piece belongs to, even if its beginning is missing.
  private(set) var newestFragmented: SequenceNumber = 0
  /// Invalid frames, by reason.
  private(set) var drops: [String: Int] = [:]

  init(of session: SessionID) { self.session = session }

  /// Appends the records that the next packet's frames complete. Drops an invalid frame with the
  /// rest of the packet: where the next frame starts would be a guess.
  mutating func receive(_ body: UnsafeRawBufferPointer, into events: inout [ObserverEvent]) {
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

  /// A packet is lost for good, so records in progress cannot be finished.
  mutating func skip() { open.removeAll() }

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

extension Assembler {
  /// Octets of unfinished records.
  var openSize: Int { open.reduce(0) { $0 + $1.size } }
  var openCount: Int { open.count }
  /// The unfinished records, a few at most.
  var openRecords: [SequenceNumber] { open.map(\.record) }

  func isOpen(_ record: SequenceNumber) -> Bool { open.contains { $0.record == record } }
}
