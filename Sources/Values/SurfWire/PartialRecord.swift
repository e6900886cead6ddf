/// Joins the fragments of one record or live value, at a viewer, and in an app that reads its own
/// packets. The state, by far the largest part, is appended directly to its final array.
package struct PartialRecord: Sendable {
  package enum Progress: Sendable { case partial, complete, misfit }

  package let record: SequenceNumber
  /// Octets of the whole record, as its fragments state.
  private let statedTotal: WireCount
  private let total: Int
  /// Octets received so far.
  package private(set) var size = 0
  /// The record without its state, and the fields before the state; nil if they were not all in the
  /// first piece.
  private var opening: (record: Record, form: UInt8, head: ContentHead)?
  /// The state's octets; without an opening, all octets so far. Not an associated value, because it
  /// must grow in place.
  private var bytes: [UInt8] = []
  /// How many octets belong into `bytes`.
  private var bytesSizeMax: Int
  /// The octets after the state, as far as they are read.
  private var tail: [UInt8] = []

  /// The most memory to reserve on the strength of a length field alone.
  private static let reservedSizeMax = 1 << 20
  /// Reserve this many times what a sender has already sent: doubling would copy the octets again
  /// and again.
  private static let reservationFactor = 16

  /// - Parameter total: octets of the whole record; clamped to `Limits.recordSizeMax`.
  package init(record: SequenceNumber, total: WireCount) {
    (self.record, statedTotal) = (record, total)
    self.total = total.clamped(to: Limits.recordSizeMax)
    bytesSizeMax = self.total
  }

  package var isComplete: Bool { size >= total }

  /// Whether a fragment belongs to this record and states the same total.
  package func has(_ fragment: FragmentView) -> Bool {
    fragment.record == record && fragment.total == statedTotal
  }

  /// Appends the next fragment; `.misfit` if it is not the next, and then nothing changes.
  package mutating func take(_ fragment: FragmentView) -> Progress {
    guard has(fragment), fragment.offset == WireCount(size) else { return .misfit }
    append(fragment.bytes)
    return isComplete ? .complete : .partial
  }

  package mutating func append(_ piece: UnsafeRawBufferPointer) {
    let rest = size == 0 ? readOpening(piece) : piece
    size += piece.count
    let own = rest.first(bytesSizeMax - bytes.count)
    reserve(bytes.count + own.count)
    bytes.append(contentsOf: own)
    guard own.count < rest.count else { return }
    // Protocol.md §8.1: octets after the fields are ignored.
    tail += rest.dropFirst(own.count).prefix(RecordTail.sizeMax - tail.count)
  }

  private mutating func reserve(_ count: Int) {
    guard count > max(bytes.capacity, Self.reservedSizeMax) else { return }
    bytes.reserveCapacity(min(bytesSizeMax, Self.reservationFactor * count))
  }

  /// - Precondition: `isComplete`.
  package mutating func finish() throws(WireError) -> Record {
    let whole = try decoded()
    guard whole.sequence == record else { throw .invalid(field: "fragment record") }
    return whole
  }

  private func decoded() throws(WireError) -> Record {
    guard let (opened, form, head) = opening else { return try Record(decoding: bytes) }
    guard bytes.count == head.size else {
      throw .truncated(field: "state", needed: head.size, available: bytes.count)
    }
    var record = opened
    record.state = try RecordState(form: form, content: Content(type: head.type, bytes: bytes))
    tail.withUnsafeBytes { tail in
      var reader = ByteReader(tail)
      record.readTail(from: &reader)
    }
    return record
  }

  /// Reads the fields before the state, if the first piece contains all of them. Returns the rest.
  private mutating func readOpening(_ piece: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var reader = ByteReader(piece)
    do throws(WireError) {
      guard let opening = try Record.withoutState(from: &reader) else { return piece }
      self.opening = opening
      bytesSizeMax = opening.head.size
      bytes.reserveCapacity(min(bytesSizeMax, Self.reservedSizeMax))
      return reader.rest
    } catch {
      // Cut short, or malformed: `finish` finds out.
      return piece
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The first octets, at most `count`, as a buffer: appending a slice is slow.
  fileprivate func first(_ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[..<Swift.min(count, self.count)])
  }
}
