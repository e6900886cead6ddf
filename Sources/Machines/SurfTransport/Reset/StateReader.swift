import SurfDelta
import SurfWire

/// Reads a state out of the packets of ours that brought it.
struct StateReader {
  enum Progress {
    case unread
    case found(Content)
    /// The record has no state, or none that can be made of these packets.
    case absent
  }

  private let wanted: SequenceNumber
  private var decoder = StateDecoder()
  private var records = OwnRecords()

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

  /// Takes the next piece of a record.
  mutating func read(_ fragment: FragmentView) -> Progress {
    do throws(WireError) {
      return try records.record(endingWith: fragment).flatMap { take($0) } ?? .unread
    } catch {
      return .absent
    }
  }

  private mutating func read(_ frames: consuming FrameReader) throws(WireError) -> Progress {
    while let frame = try frames.next() {
      if let record = try records.record(in: frame), let end = take(record) { return end }
    }
    return .unread
  }

  /// Nil if the wanted record comes later.
  private mutating func take(_ record: consuming Record) -> Progress? {
    let taken = decoder.take(&record, leavesState: false)
    guard record.sequence >= wanted else { return nil }
    guard record.sequence == wanted, let content = decoder.content else { return .absent }
    return taken == .nothing || taken == .unmade ? .absent : .found(content)
  }
}
