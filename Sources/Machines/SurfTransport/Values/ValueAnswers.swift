import SurfBasics
import SurfWire

/// Unanswered requests for values, and the answers to them, for a `Sender` (Protocol.md §10.10).
struct ValueAnswers: Sendable {
  private var requests = Turns<Endpoint, ValueRequest>(countMax: 64)
  /// Requests dropped because the queue was full.
  private(set) var droppedCount = 0

  var isEmpty: Bool { requests.isEmpty }

  /// A newer request from the same endpoint replaces the older one.
  mutating func ask(_ request: ValueRequest, from endpoint: Endpoint) {
    if !requests.set(request, of: endpoint) { droppedCount += 1 }
  }

  /// The complete answer to the request whose turn it is.
  mutating func next(
    from values: KeptValues, datagramSize: Int
  ) -> (replies: [ValueReply], endpoint: Endpoint)? {
    guard let (endpoint, request) = requests.popFirst() else { return nil }
    let replies = Self.replies(
      to: request, from: values, framesSizeMax: datagramSize - ValueReply.overhead)
    return (replies, endpoint)
  }

  private static func replies(
    to request: ValueRequest, from values: KeptValues, framesSizeMax: Int
  ) -> [ValueReply] {
    let end = min(request.through, values.newestRecord)
    var (pieces, after, offset) = ([Piece](), request.after, request.offset)
    while after < end, pieces.count < Limits.valueReplyCountMax {
      let piece = Piece(after: after, end: end, offset: offset, values, sizeMax: framesSizeMax)
      pieces.append(piece)
      (after, offset) = (piece.next, piece.nextOffset)
    }
    return pieces.enumerated().compactMap { index, piece in
      guard let range = RecordSpan(after: piece.after, through: piece.through) else { return nil }
      return ValueReply(
        viewer: request.viewer, range: range, newestRecord: values.newestRecord,
        leftOut: values.leftOutCount, rest: WireCount(pieces.count - index - 1),
        frames: piece.frames)
    }
  }
}

/// The content of one reply: all records of a range, or a piece of a single record.
private struct Piece {
  let after: SequenceNumber
  private(set) var through: SequenceNumber
  private(set) var frames: [UInt8] = []
  /// The record after which the next piece begins, and the offset there.
  private(set) var next: SequenceNumber
  private(set) var nextOffset: WireCount = 0

  /// - Parameter offset: octets to skip of record `after` + 1, if it is longer.
  init(
    after: SequenceNumber, end: SequenceNumber, offset: WireCount, _ values: KeptValues,
    sizeMax: Int
  ) {
    (self.after, through, next) = (after, end, end)
    var last = after
    while let (record, bytes) = values.first(after: last), record <= end {
      if frames.count + Frame.headerSize + bytes.count <= sizeMax {
        Frame.record(bytes).append(to: &frames)
        last = record
      } else if frames.isEmpty {
        let isContinued = record == after.next && offset < WireCount(bytes.count)
        carry(record, bytes, from: isContinued ? offset : 0, sizeMax: sizeMax)
        return
      } else {
        (through, next) = (last, last)
        return
      }
    }
  }

  private mutating func carry(
    _ record: SequenceNumber, _ bytes: [UInt8], from offset: WireCount, sizeMax: Int
  ) {
    let start = offset.clamped(to: bytes.count)
    let size = min(bytes.count - start, sizeMax - Frame.headerSize - Fragment.headerSize)
    let fragment = Fragment(
      record: record, total: WireCount(bytes.count), offset: WireCount(start),
      bytes: Array(bytes[start..<start + size]))
    Frame.fragment(fragment).append(to: &frames)
    through = record
    let isLast = start + size == bytes.count
    (next, nextOffset) = isLast ? (record, 0) : (record.previous, WireCount(start + size))
  }
}

/// The records of an app's live values, in order and within limits, for a `Sender` (Protocol.md
/// §10.10).
struct KeptValues: Sendable {
  private var values: BoundedValues<[UInt8]>
  /// The newest record that the app has made.
  private(set) var newestRecord: SequenceNumber = 0
  private(set) var leftOutCount: WireCount = 0
  /// Whether there has ever been a value.
  private(set) var isUsed = false

  init(countMax: Int = Limits.valueCountMax, sizeMax: Int = Limits.valueTableSizeMax) {
    values = BoundedValues(countMax: countMax, sizeMax: sizeMax)
  }

  /// Octets of the records.
  var size: Int { values.size }

  /// Takes any record that is newer than all earlier ones.
  mutating func note(_ record: Record) {
    newestRecord = record.sequence
    switch record.kind {
    case .update:
      isUsed = true
      let bytes = record.withoutState.encoded()
      let lost = values.set(
        ValueName(record.name), to: bytes, size: bytes.count, by: record.sequence)
      leftOutCount.add(WireCount(lost))
    case .remove: values.remove(ValueName(record.name), by: record.sequence)
    case .action, .log, .mark, .revision, .restored, .other: break
    }
  }

  /// Changes the size limit, in octets.
  mutating func bound(size: Int) {
    values.sizeMax = size
    leftOutCount.add(WireCount(values.shrink(to: size)))
  }

  /// The first live record after `record`.
  func first(after record: SequenceNumber) -> (record: SequenceNumber, value: [UInt8])? {
    values.first(after: record)
  }
}
