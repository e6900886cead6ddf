/// A record that comes in pieces. Its state, by far the largest part, goes straight to its final
/// place.
package struct PartialRecord: Sendable {
  /// The fields before a state's bytes.
  struct StateHead: Sendable {
    var form: UInt8
    var type: String
    var size: Int
  }

  package enum Progress: Sendable { case partial, complete, misfit }

  package let record: SequenceNumber
  /// Octets of the whole record, as its pieces tell.
  private let told: WireCount
  private let total: Int
  /// Octets that have come.
  package private(set) var size = 0
  /// The record without its state; nil until all that precedes that is here.
  private var opening: (record: Record, head: StateHead)?
  /// Of the state; without an opening, all octets so far. Beside it and not in one enumeration, so
  /// that it grows in place.
  private var bytes: [UInt8] = []
  /// Octets of `bytes` that are wanted.
  private var bytesSizeMax: Int
  /// What is behind the state, as far as it says anything.
  private var tail: [UInt8] = []

  /// Room to reserve on the word of a length field.
  private static let reservedSizeMax = 1 << 20
  /// Whoever has sent so much is believed for this many times as much: to double the room each time
  /// would copy what is here again and again.
  private static let beliefFactor = 16

  /// Of a record of which no piece has come.
  ///
  /// - Parameter total: octets of the whole record; more than `Limits.recordSizeMax` do not count.
  package init(record: SequenceNumber, total: WireCount) {
    (self.record, told) = (record, total)
    self.total = total.clamped(to: Limits.recordSizeMax)
    bytesSizeMax = self.total
  }

  package var isComplete: Bool { size >= total }

  /// Whether a piece is of this record, and tells the same size of it.
  package func has(_ fragment: FragmentView) -> Bool {
    fragment.record == record && fragment.total == told
  }

  /// Takes the next piece, and says what to do then.
  package mutating func take(_ fragment: FragmentView) -> Progress {
    guard has(fragment), fragment.offset == WireCount(size) else { return .misfit }
    append(fragment.bytes)
    return isComplete ? .complete : .partial
  }

  package mutating func append(_ piece: UnsafeRawBufferPointer) {
    let rest = size == 0 ? openUp(piece) : piece
    size += piece.count
    let own = rest.first(bytesSizeMax - bytes.count)
    makeRoom(bytes.count + own.count)
    bytes.append(contentsOf: own)
    guard own.count < rest.count else { return }
    // Protocol.md §8.1: octets after the fields are ignored.
    tail += rest.dropFirst(own.count).prefix(RecordTail.sizeMax - tail.count)
  }

  private mutating func makeRoom(_ count: Int) {
    guard count > max(bytes.capacity, Self.reservedSizeMax) else { return }
    bytes.reserveCapacity(min(bytesSizeMax, Self.beliefFactor * count))
  }

  /// - Precondition: `isComplete`.
  package mutating func finish() throws(WireError) -> Record {
    let whole = try decoded()
    guard whole.sequence == record else { throw .invalid(field: "fragment record") }
    return whole
  }

  private func decoded() throws(WireError) -> Record {
    guard let (opened, head) = opening else { return try Record(decoding: bytes) }
    guard bytes.count == head.size else {
      throw .truncated(field: "state", needed: head.size, available: bytes.count)
    }
    var record = opened
    record.state = try RecordState(form: head.form, content: Content(type: head.type, bytes: bytes))
    tail.withUnsafeBytes { tail in
      var reader = ByteReader(tail)
      record.readTail(from: &reader)
    }
    return record
  }

  /// Reads the fields before the state, if all of them are in the first piece, and returns the
  /// rest.
  private mutating func openUp(_ piece: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var reader = ByteReader(piece)
    do throws(WireError) {
      guard let opening = try Record.withoutState(from: &reader) else { return piece }
      self.opening = opening
      bytesSizeMax = opening.1.size
      bytes.reserveCapacity(min(bytesSizeMax, Self.reservedSizeMax))
      return reader.rest
    } catch {
      // Cut short, or wrong: the whole will tell.
      return piece
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The first octets, `count` at most, as a buffer and not as a slice: appending that is slow.
  fileprivate func first(_ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[..<Swift.min(count, self.count)])
  }
}
