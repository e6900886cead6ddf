import SurfWire

/// Reads an app's own packets within its process, for `StateReader` and the built-in debugger. The
/// pieces of two records never interleave in them.
package struct OwnRecords: Sendable {
  package enum Item: Equatable, Sendable {
    case record(Record)
    case restored(Restored)
  }

  private var texts = TextMemory()
  private var partial: PartialRecord?

  package init() {}

  /// The records that end in a packet. Invalid frames are skipped with the rest of the packet.
  package mutating func items(in packet: ArraySlice<UInt8>) -> [Item] {
    packet.withUnsafeBytes { bytes in
      let body = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(DataPacket.overhead))
      var frames = FrameReader(body)
      var items: [Item] = []
      do throws(WireError) {
        while let frame = try frames.next() {
          if frame.kind == .restored {
            items.append(.restored(try Restored(decoding: frame.body)))
          } else if let record = try record(in: frame) {
            items.append(.record(record))
          }
        }
      } catch {
        return items
      }
      return items
    }
  }

  /// The record of a frame, if this is its last piece.
  private mutating func record(in frame: FrameView) throws(WireError) -> Record? {
    switch frame.kind {
    case .record: try Record(decoding: frame.body, texts: &texts)
    case .fragment: try record(endingWith: FragmentView(decoding: frame.body))
    case .restored: nil
    }
  }

  mutating func record(endingWith fragment: FragmentView) throws(WireError) -> Record? {
    if fragment.offset.isZero {
      partial = PartialRecord(record: fragment.record, total: fragment.total)
    }
    // No beginning: the record is older than the first wanted one. A gap: its packets are gone.
    guard partial?.take(fragment) == .complete, var whole = partial.take() else { return nil }
    return try whole.finish()
  }
}

/// Packets that the app holds, copied for a viewer in its own process. They include unsent ones, so
/// the viewer needs no network.
package struct OwnPackets: Sendable {
  package let session: SessionID
  package let heartbeat: Heartbeat
  /// The oldest record that is complete here, if this is the first read. Older ones among the
  /// packets serve only as bases.
  package let oldestRecord: SequenceNumber?
  package let packets: [[UInt8]]
  /// Where the next read begins.
  package let next: SequenceNumber
  package let hasMore: Bool
}
