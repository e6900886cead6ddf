import SurfWire

/// Makes records of frames that come in order (Protocol.md §9).
struct Assembler: Sendable {
  enum Item: Sendable {
    case record(Record)
    case restored(Restored)
  }

  /// A record of which not all pieces are here.
  private struct Open: Sendable {
    let record: UInt64
    let total: UInt32
    var pieces: PartialRecord

    init(_ fragment: FragmentView) {
      record = fragment.record
      total = fragment.total
      pieces = PartialRecord(total: Int(total))
    }

    func accepts(_ fragment: FragmentView) -> Bool {
      fragment.total == total && Int(fragment.offset) == pieces.size
    }
  }

  /// In the order in which they were begun.
  private var open: [Open] = []
  private var texts = TextMemory()

  /// Frames that made no sense, by reason.
  private(set) var drops: [String: Int] = [:]

  /// Adds what the frames of the next packet complete. A frame that makes no sense is dropped, with
  /// all behind it in the packet: where the next one begins is a guess by then.
  mutating func receive(_ body: UnsafeRawBufferPointer, into items: inout [Item]) {
    var reader = FrameReader(body)
    do throws(WireError) {
      while let frame = try reader.next() { receive(frame, into: &items) }
    } catch {
      drops[error.reason, default: 0] += 1
    }
  }

  /// A packet is missing for good: what was begun cannot be finished.
  mutating func skip() { open.removeAll() }

  private mutating func receive(_ frame: FrameView, into items: inout [Item]) {
    do throws(WireError) {
      switch frame {
      case .restored(let restored): items.append(.restored(restored))
      case .record(let bytes):
        items.append(.record(try Record(decoding: bytes, texts: &texts)))
      case .fragment(let fragment):
        guard let record = try complete(fragment) else { return }
        items.append(.record(record))
      }
    } catch {
      drops[error.reason, default: 0] += 1
    }
  }

  /// The record, when this was its last piece.
  private mutating func complete(_ fragment: FragmentView) throws(WireError) -> Record? {
    if fragment.offset == 0 { begin(fragment) }
    // No beginning: the window was opened, or a packet lost, in the middle of this record.
    guard let index = open.firstIndex(where: { $0.record == fragment.record }) else { return nil }
    guard open[index].accepts(fragment) else {
      // What does not fit now never will: nothing of the record comes twice.
      open.remove(at: index)
      drops["misfit fragment", default: 0] += 1
      return nil
    }
    open[index].pieces.append(fragment.bytes)
    guard open[index].pieces.isComplete else { return nil }
    var complete = open.remove(at: index)
    let record = try complete.pieces.finish()
    guard record.sequence == fragment.record else { throw .invalid(field: "fragment record") }
    return record
  }

  /// The record that was begun first makes room: a sender that began four others has left it.
  private mutating func begin(_ fragment: FragmentView) {
    open.removeAll { $0.record == fragment.record }
    if open.count >= Limits.openRecordCountMax {
      open.removeFirst()
      drops["open records", default: 0] += 1
    }
    open.append(Open(fragment))
  }
}

extension Assembler {
  /// Whether the record has begun and not ended.
  func isOpen(_ record: UInt64) -> Bool { open.contains { $0.record == record } }
}
