/// One unit in a data packet, or in a reply with live values (Protocol.md §7.1, §10.10).
package enum Frame: Equatable, Sendable {
  /// A whole record, small enough to share a packet with others.
  case record([UInt8])
  /// A piece of a record that needs more than one packet.
  case fragment(Fragment)
  /// A viewer put the app into another state. Every viewer learns who did, and which state.
  case restored(Restored)

  /// Octets before a frame's body: type, flags and length.
  package static let headerSize = 4
}

/// Bytes `offset ..< offset + bytes.count` of an encoded record of `total` bytes.
package struct Fragment: Equatable, Sendable {
  package var record: SequenceNumber
  package var total: WireCount
  package var offset: WireCount
  package var bytes: [UInt8]

  /// Octets before the bytes.
  package static let headerSize = 16

  package init(record: SequenceNumber, total: WireCount, offset: WireCount, bytes: [UInt8]) {
    self.record = record
    self.total = total
    self.offset = offset
    self.bytes = bytes
  }
}

/// Notifies all viewers that the app has answered a restore. It is not a record, so surfing through
/// a hundred states adds no rows.
package struct Restored: Equatable, Sendable {
  package var request: UInt64
  package var viewer: ViewerID
  package var viewerName: String
  /// Where the app is now. If the restore was not applied, that is where it was before.
  package var position: Position
  /// The newest record at that time.
  package var newestRecord: SequenceNumber
  /// How many moves without a record the app had made by then, including this one.
  package var moveCount: WireCount
  package var outcome: Outcome.Result

  package init(
    request: UInt64, viewer: ViewerID, viewerName: String, position: Position,
    newestRecord: SequenceNumber, moveCount: WireCount, outcome: Outcome.Result
  ) {
    self.request = request
    self.viewer = viewer
    self.viewerName = viewerName
    self.position = position
    self.newestRecord = newestRecord
    self.moveCount = moveCount
    self.outcome = outcome
  }

  /// When the app was at `position`.
  package var stamp: PositionStamp {
    PositionStamp(newestRecord: newestRecord, moveCount: moveCount)
  }
}

// Headers that a sender writes in place, without making a `Frame` first.
extension Frame {
  /// Writes the octets before a record frame's bytes.
  ///
  /// - Precondition: `size` is at most 65,535; a packet is far smaller.
  package static func writeRecordHeader(size: Int, to bytes: UnsafeMutableRawBufferPointer) {
    writeHeader(.record, size: size, to: bytes)
  }

  fileprivate static func writeHeader(
    _ kind: Kind, size: Int, to bytes: UnsafeMutableRawBufferPointer
  ) {
    let header = UInt32(kind.rawValue) << 24 | UInt32(UInt16(truncatingIfNeeded: size))
    bytes.storeBytes(of: header.bigEndian, as: UInt32.self)
  }
}

extension Fragment {
  /// Writes the octets before `size` octets of a record that has `total`, starting at `offset`.
  package static func writeHeader(
    record: SequenceNumber, total: Int, offset: Int, size: Int,
    to bytes: UnsafeMutableRawBufferPointer
  ) {
    Frame.writeHeader(.fragment, size: headerSize + size, to: bytes)
    bytes.storeBytes(of: record.rawValue.bigEndian, toByteOffset: 4, as: UInt64.self)
    bytes.storeBytes(of: UInt32(total).bigEndian, toByteOffset: 12, as: UInt32.self)
    bytes.storeBytes(of: UInt32(offset).bigEndian, toByteOffset: 16, as: UInt32.self)
  }
}
