internal import SurfDelta
internal import SurfWire

/// Decides which states go whole, and which as a difference from the state before (Protocol.md
/// §8.3).
struct StateDifferences {
  private var newest: (record: SequenceNumber, content: Content)?
  /// The record whose state went whole last, and the octets of the differences since.
  private var wholeRecord: SequenceNumber = 0
  private var differenceSize = 0
  /// Octets besides states since then.
  private var detailSize = 0
  private var patience = Patience()

  /// Below this a state costs hardly more than a difference, and fits a packet.
  private static let stateSizeMin = 512
  /// Octets of differences that a whole state need not outweigh: they leave with one call, and who
  /// comes late has them as soon as one. A small state that changes much would go whole every few
  /// records.
  private static let chainSizeMin = 64_000
  /// Records from one whole state to the next: who comes late, or has missed something, has to
  /// have all of them to see the newest.
  private static let recordCountMax: WireCount = 512
  /// Octets besides states from one to the next: the sender keeps all of them for the newest.
  private static let detailSizeMax = 8 * 1_024 * 1_024

  /// A record took so many octets besides its state.
  mutating func note(detailSize size: Int) { detailSize += size }

  /// The state of a record, in the form in which it goes.
  mutating func form(_ content: Content, of record: SequenceNumber) -> RecordState {
    defer { newest = (record, content) }
    guard let bytes = difference(to: content, of: record) else {
      wholeRecord = record
      differenceSize = 0
      detailSize = 0
      return .whole(content)
    }
    differenceSize += bytes.count
    return .difference(Content(type: content.type, bytes: bytes))
  }

  private mutating func difference(to content: Content, of record: SequenceNumber) -> [UInt8]? {
    let size = content.bytes.count
    guard let newest, size >= Self.stateSizeMin, newest.content.type == content.type,
      wholeRecord.distance(to: record) < Self.recordCountMax,
      differenceSize < max(size, Self.chainSizeMin), detailSize < Self.detailSizeMax,
      patience.allowsTrial()
    else { return nil }
    // More than half is not worth the work at the other end.
    let difference = Difference.between(
      newest.content.bytes, content.bytes, baseRecord: newest.record.rawValue, sizeMax: size / 2)
    patience.note(succeeded: difference != nil)
    return difference?.encoded()
  }
}
