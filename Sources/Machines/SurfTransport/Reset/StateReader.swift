import SurfDelta
import SurfWire

/// Reads a state out of the packets that brought it: our own packets, in which no record lies
/// between the pieces of another.
struct StateReader {
  enum Progress {
    case unread
    case found(Content)
    /// The record has no state, or none that can be made of these packets.
    case absent
  }

  private let wanted: SequenceNumber
  private var decoder = StateDecoder()
  private var texts = TextMemory()
  private var partial: (record: SequenceNumber, pieces: PartialRecord)?

  /// - Parameter wanted: the record with the state.
  init(_ wanted: SequenceNumber) { self.wanted = wanted }

  /// Takes the next packet, beginning with the one in which the whole state begins.
  mutating func read(_ packet: ArraySlice<UInt8>) -> Progress {
    packet.withUnsafeBytes { bytes in
      let frames = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(DataPacket.overhead))
      do throws(WireError) {
        return try read(FrameReader(frames))
      } catch {
        return .absent
      }
    }
  }

  private mutating func read(_ frames: consuming FrameReader) throws(WireError) -> Progress {
    while let frame = try frames.next() {
      let record: Record? =
        switch frame.kind {
        case .record: try Record(decoding: frame.body, texts: &texts)
        case .fragment: try take(FragmentView(decoding: frame.body))
        case .restored: nil
        }
      guard var record else { continue }
      let taken = decoder.take(&record, leavesState: false)
      guard record.sequence >= wanted else { continue }
      guard record.sequence == wanted, let content = decoder.content else { return .absent }
      return taken == .nothing || taken == .unmade ? .absent : .found(content)
    }
    return .unread
  }

  /// - Returns: the record, if this was its last piece.
  private mutating func take(_ fragment: FragmentView) throws(WireError) -> Record? {
    if fragment.offset.isZero {
      let pieces = PartialRecord(total: fragment.total.clamped(to: Limits.recordSizeMax))
      partial = (fragment.record, pieces)
    }
    // No beginning: the record is before the first wanted one. A hole: its packets are gone.
    guard partial?.record == fragment.record,
      fragment.offset == partial.map({ WireCount($0.pieces.size) })
    else { return nil }
    partial?.pieces.append(fragment.bytes)
    guard partial?.pieces.isComplete == true, var whole = partial.take() else { return nil }
    return try whole.pieces.finish()
  }
}
