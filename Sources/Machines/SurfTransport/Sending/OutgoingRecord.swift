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
  /// All of the encoded record but the bytes of its state.
  private let head: [UInt8]
  /// The state's bytes: the app's own array, copied for the first time into a packet.
  private let state: [UInt8]

  package init(_ record: Record) {
    sequence = record.sequence
    hasState = record.carriesState
    movesApp = record.movesApp
    base = record.base
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
