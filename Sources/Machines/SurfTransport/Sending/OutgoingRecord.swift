import SurfWire

/// A record on its way out.
package struct OutgoingRecord: Sendable {
  package let sequence: SequenceNumber
  /// Whether it carries the state after it, whole or as a delta.
  package let hasState: Bool
  /// Whether the app is at it (Protocol.md §11.7).
  package let movesApp: Bool
  /// The record whose state is the base of its own.
  let base: SequenceNumber?
  /// What it says of a value; nil if nothing.
  let valueChange: ValueChange?
  /// All of the encoded record but the bytes of its state.
  private let head: [UInt8]
  /// The state's bytes: the app's own array, copied into a packet, or referred to by many.
  private let state: [UInt8]
  /// What follows the state.
  private let tail: [UInt8]

  package init(_ record: Record) {
    sequence = record.sequence
    hasState = record.carriesState
    movesApp = record.movesApp
    base = record.base
    (head, state, tail) = record.encodedInParts()
    valueChange = ValueChange(record, encoded: head)
  }

  /// Octets of the encoded record.
  package var size: Int { head.count + state.count + tail.count }

  /// Pieces of the encoded record from `offset` on, if all of them lie in the state's bytes.
  func statePieces(from offset: Int, count: Int, size: Int) -> RecordPieces? {
    let start = offset - head.count
    guard start >= 0, start + count * size <= state.count else { return nil }
    return RecordPieces(
      record: sequence, total: self.size, offset: offset, bytes: state, start: start, size: size)
  }

  /// Copies a part of the encoded record to the front of `bytes`.
  func copy(_ range: Range<Int>, to bytes: Slice<UnsafeMutableRawBufferPointer>) {
    let target = UnsafeMutableRawBufferPointer(rebasing: bytes)
    Self.copy(head, at: 0, range, to: target)
    Self.copy(state, at: head.count, range, to: target)
    Self.copy(tail, at: head.count + state.count, range, to: target)
  }

  /// Copies what `range` covers of a part that begins at `start` of the whole.
  private static func copy(
    _ part: [UInt8], at start: Int, _ range: Range<Int>, to target: UnsafeMutableRawBufferPointer
  ) {
    let own = range.clamped(to: start..<start + part.count)
    guard !own.isEmpty else { return }
    part.withUnsafeBytes { part in
      UnsafeMutableRawBufferPointer(rebasing: target[(own.lowerBound - range.lowerBound)...])
        .copyMemory(
          from: UnsafeRawBufferPointer(
            rebasing: part[own.lowerBound - start..<own.upperBound - start]))
    }
  }
}

/// What a record says of a value (Protocol.md §10.10).
enum ValueChange: Sendable {
  /// With the record's octets, without a state.
  case update(ValueName, [UInt8])
  case remove(ValueName)

  /// - Parameter encoded: The octets of a record without a state.
  init?(_ record: Record, encoded: [UInt8]) {
    switch record.kind {
    case .update:
      self = .update(
        ValueName(record.name),
        record.state == .none ? encoded : record.withoutState.encoded())
    case .remove: self = .remove(ValueName(record.name))
    case .action, .log, .mark, .revision, .restored, .other: return nil
    }
  }
}

/// Octets of a large record in pieces of one size, in the app's own array.
final class RecordPieces: Sendable {
  let record: SequenceNumber
  /// Octets of the encoded record.
  let total: Int
  /// Where in the encoded record the first piece begins.
  let offset: Int
  let bytes: [UInt8]
  /// Where in `bytes` that is.
  let start: Int
  /// Octets of each piece.
  let size: Int

  init(
    record: SequenceNumber, total: Int, offset: Int, bytes: [UInt8], start: Int, size: Int
  ) {
    self.record = record
    self.total = total
    self.offset = offset
    self.bytes = bytes
    self.start = start
    self.size = size
  }

  subscript(index: Int) -> ArraySlice<UInt8> { bytes[range(index..<index + 1)] }

  /// Where these pieces lie, one behind the other.
  func range(_ indices: Range<Int>) -> Range<Int> {
    start + indices.lowerBound * size..<start + indices.upperBound * size
  }

  /// Writes what precedes a piece in its packet.
  func writeHeader(_ index: Int, to bytes: UnsafeMutableRawBufferPointer) {
    Fragment.writeHeader(
      record: record, total: total, offset: offset + index * size, size: size, to: bytes)
  }

  /// Gives these pieces as if they were one.
  func read<Result>(_ indices: Range<Int>, _ body: (FragmentView) -> Result) -> Result {
    bytes.withUnsafeBytes { bytes in
      body(
        FragmentView(
          record: record, total: WireCount(total),
          offset: WireCount(offset + indices.lowerBound * size),
          bytes: UnsafeRawBufferPointer(rebasing: bytes[range(indices)])))
    }
  }
}
