import SurfWire

/// A record on its way out.
package struct OutgoingRecord: Sendable {
  package var sequence: UInt64
  package var hasState: Bool
  /// `Record.encoded()`.
  package var bytes: [UInt8]

  package init(_ record: Record) {
    sequence = record.sequence
    hasState = record.state.content != nil
    bytes = record.encoded()
  }
}

/// Puts records into packets: several small ones into one, a large one into many (Protocol.md §9).
struct Packer {
  /// A packet's frames, not numbered yet.
  struct Body: Sendable {
    var frames: [UInt8] = []
    /// The newest record that begins in it, if one does.
    var beginsRecord: UInt64?
    /// The newest record with a state that ends in it, if one does.
    var endsState: UInt64?
    /// The newest record with a state that begins in it.
    var beginsState: UInt64?
  }

  /// Octets of frames that one packet has room for.
  let capacity: Int
  private(set) var bodies: [Body] = []
  private var open = Body()

  init(datagramSize: Int) { capacity = datagramSize - DataPacket.overhead }

  /// Fewer octets of a large record than this are not worth a frame at the end of a packet.
  private static let fragmentSizeMin = 256

  mutating func add(_ record: OutgoingRecord) {
    let frameSize = Frame.headerSize + record.bytes.count
    if frameSize <= capacity {
      if open.frames.count + frameSize > capacity { close() }
      begin(record)
      Frame.record(record.bytes).append(to: &open.frames)
      end(record)
    } else {
      addFragments(of: record)
    }
  }

  mutating func add(_ frame: Frame) {
    var bytes: [UInt8] = []
    frame.append(to: &bytes)
    if open.frames.count + bytes.count > capacity { close() }
    open.frames.append(contentsOf: bytes)
  }

  /// Nothing waits for more to come: an action is on the wire as soon as there is nothing before
  /// it.
  mutating func finish() -> [Body] {
    close()
    return bodies
  }

  private mutating func addFragments(of record: OutgoingRecord) {
    let overhead = Frame.headerSize + Fragment.headerSize
    if capacity - open.frames.count - overhead < Self.fragmentSizeMin { close() }
    begin(record)
    var offset = 0
    while offset < record.bytes.count {
      let end = min(record.bytes.count, offset + capacity - open.frames.count - overhead)
      let fragment = Fragment(
        record: record.sequence, total: UInt32(record.bytes.count), offset: UInt32(offset),
        bytes: Array(record.bytes[offset..<end]))
      Frame.fragment(fragment).append(to: &open.frames)
      offset = end
      if offset < record.bytes.count { close() }
    }
    end(record)
  }

  private mutating func begin(_ record: OutgoingRecord) {
    open.beginsRecord = record.sequence
    if record.hasState { open.beginsState = record.sequence }
  }

  private mutating func end(_ record: OutgoingRecord) {
    if record.hasState { open.endsState = record.sequence }
  }

  private mutating func close() {
    guard !open.frames.isEmpty else { return }
    bodies.append(open)
    open = Body()
  }
}
