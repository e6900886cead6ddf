/// A record that comes in pieces. Its state, by far the largest part, is put where it stays.
package struct PartialRecord: Sendable {
  private enum Form: Sendable {
    /// All pieces so far: what precedes the state is not here yet.
    case opaque([UInt8])
    /// The record without its state, and what of that has come.
    case open(Record, StateHead, [UInt8])
  }

  /// What a state's bytes are preceded by.
  struct StateHead: Sendable {
    var form: UInt8
    var type: String
    var size: Int
  }

  private let total: Int
  private var received = 0
  private var form: Form

  /// Room that is made on the word of a length field; beyond, memory grows with what has come.
  private static let reservedSizeMax = 1 << 20

  /// - Parameter total: octets of the whole record, at most `Limits.recordSizeMax`.
  package init(total: Int) {
    self.total = total
    form = .opaque([])
  }

  /// Octets that have come.
  package var size: Int { received }
  package var isComplete: Bool { received >= total }

  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    let isFirst = received == 0
    received += bytes.count
    if isFirst, openUp(bytes) { return }
    // Taken out while it changes, so that it is not copied.
    switch take() {
    case .opaque(var all):
      all.append(contentsOf: bytes)
      form = .opaque(all)
    case .open(let record, let head, var state):
      // Protocol.md §8.1: octets after the state are ignored.
      state.append(contentsOf: bytes.first(head.size - state.count))
      form = .open(record, head, state)
    }
  }

  /// - Precondition: `isComplete`.
  package mutating func finish() throws(WireError) -> Record {
    switch take() {
    case .opaque(let all): return try Record(decoding: all)
    case .open(var record, let head, let state):
      guard state.count == head.size else {
        throw .truncated(field: "state", needed: head.size, available: state.count)
      }
      record.state = try RecordState(
        form: head.form, content: Content(type: head.type, bytes: state))
      return record
    }
  }

  private mutating func take() -> Form {
    defer { form = .opaque([]) }
    return form
  }

  /// Reads what precedes the state, if all of it is in the first piece.
  private mutating func openUp(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var reader = ByteReader(bytes)
    do throws(WireError) {
      guard let (record, head) = try Record.withoutState(from: &reader) else { return false }
      var state: [UInt8] = []
      state.reserveCapacity(min(head.size, Self.reservedSizeMax))
      state.append(contentsOf: reader.rest.first(head.size))
      form = .open(record, head, state)
      return true
    } catch {
      // Cut short, or wrong: the whole will tell.
      return false
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The first octets, `count` at most, as a buffer and not as a slice: appending that is slow.
  fileprivate func first(_ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[..<Swift.min(count, self.count)])
  }
}
