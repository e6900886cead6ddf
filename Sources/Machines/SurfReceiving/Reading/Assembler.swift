import SurfBasics
import SurfWire

/// Makes records of frames that come in order (Protocol.md §9).
struct Assembler: Sendable {
  /// Of whom the records are told.
  private let session: SessionID
  /// In the order in which they were begun.
  private var open: [PartialRecord] = []
  private var texts = TextMemory()

  /// The newest record of which a piece came, even without its beginning.
  private(set) var newestFragmented: SequenceNumber = 0
  /// Frames that made no sense, by reason.
  private(set) var drops: [String: Int] = [:]

  init(of session: SessionID) { self.session = session }

  /// Adds what the frames of the next packet complete. Drops a frame that makes no sense, with all
  /// behind it in the packet: the start of the next frame is a guess by then.
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

  /// A packet is missing for good: records in progress cannot be finished.
  mutating func skip() { open.removeAll() }

  /// Protocol.md §7.1: a malformed record is passed over alone.
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
    // No beginning: the window was opened, or a packet lost, in the middle of this record.
    guard let index = open.indices.last(where: { open[$0].record == fragment.record }) else {
      return
    }
    // In place: a copy would be one for each of a thousand pieces.
    switch open[index].take(fragment) {
    case .partial: return
    case .complete: finish(open.remove(at: index), into: &events)
    case .misfit:
      // A piece that does not fit now never will: nothing of the record comes twice.
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

  /// The record that began first makes room: a sender that began four others has left it.
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
  /// Octets of records that have begun and not ended.
  var openSize: Int { open.reduce(0) { $0 + $1.size } }
  var openCount: Int { open.count }
  /// The records that have begun and not ended, a few at most.
  var openRecords: [SequenceNumber] { open.map(\.record) }

  /// Whether the record has begun and not ended.
  func isOpen(_ record: SequenceNumber) -> Bool { open.contains { $0.record == record } }
}
