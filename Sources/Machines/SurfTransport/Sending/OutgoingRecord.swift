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
  let head: [UInt8]
  /// The state's bytes: the app's own array, copied for the first time into a packet.
  private let state: [UInt8]

  package init(_ record: Record) {
    sequence = record.sequence
    hasState = record.carriesState
    movesApp = record.movesApp
    base = record.base
    valueChange = ValueChange(record)
    (head, state) = record.encodedInTwo()
  }

  /// Octets of the encoded record.
  package var size: Int { head.count + state.count }

  /// Copies a part of the encoded record to the front of `bytes`.
  func copy(_ range: Range<Int>, to bytes: Slice<UnsafeMutableRawBufferPointer>) {
    let target = UnsafeMutableRawBufferPointer(rebasing: bytes)
    let headEnd = min(range.upperBound, head.count)
    let headSize = max(0, headEnd - range.lowerBound)
    if headSize > 0 { target.copyBytes(from: head[range.lowerBound..<headEnd]) }
    let first = max(range.lowerBound - head.count, 0)
    let last = range.upperBound - head.count
    guard first < last else { return }
    state.withUnsafeBytes { state in
      UnsafeMutableRawBufferPointer(rebasing: target[headSize...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: state[first..<last]))
    }
  }
}

/// What a record says of a value (Protocol.md §10.10).
enum ValueChange: Sendable {
  case update(ValueName)
  case remove(ValueName)

  init?(_ record: Record) {
    guard !record.carriesState else { return nil }
    switch record.kind {
    case .update: self = .update(ValueName(record.name))
    case .remove: self = .remove(ValueName(record.name))
    case .action, .log, .mark, .revision, .other: return nil
    }
  }
}
