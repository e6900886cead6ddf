import SurfWire

/// Makes records of frames that come in order (Protocol.md §9).
struct Assembler: Sendable {
  enum Item: Sendable {
    case record(Record)
    case restored(Restored)
  }

  fileprivate struct Open: Sendable {
    /// Which `begun` it was begun as: the smallest is the oldest.
    var order: Int
    var total: UInt32
    var bytes: [UInt8]
  }

  fileprivate var open: [UInt64: Open] = [:]
  private var begunCount = 0

  /// Frames that made no sense, by reason.
  private(set) var drops: [String: Int] = [:]

  /// What the frames of the next packet complete. A frame that makes no sense is dropped, with all
  /// behind it in the packet: where the next one begins is a guess by then.
  mutating func receive(_ body: [UInt8]) -> [Item] {
    var items: [Item] = []
    var rest = body[...]
    while !rest.isEmpty {
      let bytes = rest.prefix(rest.frameSize)
      rest = rest.dropFirst(bytes.count)
      guard let frames = count({ () throws(WireError) in try Frame.decode(Array(bytes)) })
      else { break }
      items += frames.compactMap { receive($0) }
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
    if fragment.offset == 0 { begin(fragment) }
    // No beginning: the window was opened, or a packet lost, in the middle of this record.
    guard let record = open[fragment.record] else { return nil }
    guard record.total == fragment.total, record.bytes.count == Int(fragment.offset) else {
      // What does not fit now never will: nothing of the record comes twice.
      open[fragment.record] = nil
      drops["misfit fragment", default: 0] += 1
      return nil
    }
    open[fragment.record]?.bytes.append(contentsOf: fragment.bytes)
    guard fragment.offset + UInt32(fragment.bytes.count) == fragment.total else { return nil }
    return open.removeValue(forKey: fragment.record)?.bytes
  }

  /// The record that was begun first makes room: a sender that began four others has left it.
  private mutating func begin(_ fragment: Fragment) {
    open[fragment.record] = nil
    if open.count >= Limits.openRecordCountMax,
      let oldest = open.min(by: { $0.value.order < $1.value.order })
    {
      open[oldest.key] = nil
      drops["open records", default: 0] += 1
    }
    begunCount &+= 1
    open[fragment.record] = Open(order: begunCount, total: fragment.total, bytes: [])
  }
}

extension Assembler {
  /// Whether the record has begun and not ended.
  func isOpen(_ record: UInt64) -> Bool { open[record] != nil }
}

extension ArraySlice<UInt8> {
  /// Octets of the frame at the front by its own account; all there are, if they are too few for
  /// a frame's header.
  fileprivate var frameSize: Int {
    guard count >= Frame.headerSize else { return count }
    // Protocol.md §7.1: the length is in the third and fourth octet.
    return Frame.headerSize + Int(self[startIndex + 2]) << 8 + Int(self[startIndex + 3])
  }
}
