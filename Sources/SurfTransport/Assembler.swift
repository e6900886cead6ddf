import SurfWire

/// Makes records of frames that come in order (Protocol.md §9).
struct Assembler: Sendable {
  enum Item: Sendable {
    case record(Record)
    case restored(Restored)
  }

  fileprivate struct Open: Sendable {
    var total: UInt32
    var bytes: [UInt8]
  }

  fileprivate var open: [UInt64: Open] = [:]

  /// Frames that made no sense, by reason.
  private(set) var drops: [String: Int] = [:]

  /// What the frames of the next packet complete. A record that makes no sense is dropped alone, a
  /// packet whose frames cannot be told apart whole.
  mutating func receive(_ body: [UInt8]) -> [Item] {
    var items: [Item] = []
    for frame in count({ () throws(WireError) in try Frame.decode(body) }) ?? [] {
      if let item = receive(frame) { items.append(item) }
    }
    return items
  }

  /// A packet is missing for good: what was begun cannot be finished.
  mutating func skip() { open.removeAll() }

  private mutating func receive(_ frame: Frame) -> Item? {
    switch frame {
    case .restored(let restored): return .restored(restored)
    case .record(let bytes):
      return count { () throws(WireError) in .record(try Record(decoding: bytes)) }
    case .fragment(let fragment):
      guard let bytes = complete(fragment) else { return nil }
      return count { () throws(WireError) in
        let record = try Record(decoding: bytes)
        guard record.sequence == fragment.record else { throw .invalid(field: "fragment record") }
        return .record(record)
      }
    }
  }

  private mutating func count<Value>(_ decode: () throws(WireError) -> Value) -> Value? {
    do throws(WireError) {
      return try decode()
    } catch {
      drops[error.reason, default: 0] += 1
      return nil
    }
  }

  /// The record's bytes, when this was their last piece. Memory grows with what has come, never
  /// with what a length field promises.
  private mutating func complete(_ fragment: Fragment) -> [UInt8]? {
    if fragment.offset == 0 {
      // The oldest of too many will not be finished; a new one may be.
      if open.count >= Limits.openRecordCountMax, let oldest = open.keys.min() {
        open[oldest] = nil
        drops["open records", default: 0] += 1
      }
      open[fragment.record] = Open(total: fragment.total, bytes: [])
    }
    // No beginning: the window was opened, or a packet lost, in the middle of this record.
    guard let record = open[fragment.record], record.total == fragment.total,
      record.bytes.count == Int(fragment.offset)
    else { return nil }
    open[fragment.record]?.bytes.append(contentsOf: fragment.bytes)
    guard fragment.offset + UInt32(fragment.bytes.count) == fragment.total else { return nil }
    return open.removeValue(forKey: fragment.record)?.bytes
  }
}

extension Assembler {
  /// Whether the record has begun and not ended.
  func isOpen(_ record: UInt64) -> Bool { open[record] != nil }
}
