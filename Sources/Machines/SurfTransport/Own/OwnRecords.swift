import SurfWire

/// Reads our own packets, in which no record lies between the pieces of another.
package struct OwnRecords: Sendable {
  package enum Item: Equatable, Sendable {
    case record(Record)
    case restored(Restored)
  }

  private var texts = TextMemory()
  private var partial: PartialRecord?

  package init() {}

  /// What ends in a packet; what makes no sense is left out.
  package mutating func items(in packet: [UInt8]) -> [Item] {
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
  mutating func record(in frame: FrameView) throws(WireError) -> Record? {
    switch frame.kind {
    case .record: try Record(decoding: frame.body, texts: &texts)
    case .fragment: try record(endingWith: FragmentView(decoding: frame.body))
    case .restored: nil
    }
  }

  /// The record that this piece ends.
  mutating func record(endingWith fragment: FragmentView) throws(WireError) -> Record? {
    if fragment.offset.isZero {
      partial = PartialRecord(record: fragment.record, total: fragment.total)
    }
    // No beginning: the record is before the first wanted one. A hole: its packets are gone.
    guard partial?.take(fragment) == .complete, var whole = partial.take() else { return nil }
    return try whole.finish()
  }
}

/// What the app's end holds, for a viewer in the app's own process: without a datagram, a copy of
/// packets as they leave. Packets that wait for a network are among them.
package struct OwnPackets: Sendable {
  package let session: SessionID
  /// As of the newest packet.
  package let heartbeat: Heartbeat
  /// The oldest record that is here from its beginning, if this is a first reading. Older ones
  /// among the packets are only bases.
  package let oldestRecord: SequenceNumber?
  package let packets: [[UInt8]]
  /// Where the next reading begins.
  package let next: SequenceNumber
  /// Whether more is there by now.
  package let hasMore: Bool
}
