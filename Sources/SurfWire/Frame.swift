/// A typed unit inside a data packet (Protocol.md §7.1).
package enum Frame: Equatable, Sendable {
  /// A whole record, small enough to travel with others in one packet.
  case record([UInt8])
  /// A piece of a record that needs more than one packet.
  case fragment(Fragment)
  /// Somebody put the app into another state; every viewer learns who, and where to.
  case restored(Restored)

  /// Octets of type, flags and length before a frame's body.
  package static let headerSize = 4
}

/// Bytes `offset ..< offset + bytes.count` of an encoded record of `total` bytes.
package struct Fragment: Equatable, Sendable {
  package var record: UInt64
  package var total: UInt32
  package var offset: UInt32
  package var bytes: [UInt8]

  /// Octets before the bytes.
  package static let headerSize = 16

  package init(record: UInt64, total: UInt32, offset: UInt32, bytes: [UInt8]) {
    self.record = record
    self.total = total
    self.offset = offset
    self.bytes = bytes
  }
}

/// Tells all viewers of a restore that the app has answered. It is not a record: surfing through
/// a hundred states adds no rows.
package struct Restored: Equatable, Sendable {
  package var request: UInt64
  package var viewer: ViewerID
  package var viewerName: String
  /// Where the app is now; where it stayed, if the restore was not applied.
  package var position: Position
  /// The newest record at that time.
  package var newestRecord: UInt64
  package var outcome: Outcome.Result

  package init(
    request: UInt64, viewer: ViewerID, viewerName: String, position: Position,
    newestRecord: UInt64, outcome: Outcome.Result
  ) {
    self.request = request
    self.viewer = viewer
    self.viewerName = viewerName
    self.position = position
    self.newestRecord = newestRecord
    self.outcome = outcome
  }
}
