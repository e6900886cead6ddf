// How a viewer asks for an app's live values, and how the app answers: Protocol.md §10.10.

/// "Which live values have records in this range?"
package struct ValueRequest: Equatable, Sendable {
  package var viewer: ViewerID
  package var cookie: Cookie
  /// The record before the first one wanted.
  package var after: SequenceNumber
  /// The last record wanted.
  package var through: SequenceNumber
  /// How many octets the viewer has of the first record wanted.
  package var offset: WireCount

  package init(
    viewer: ViewerID, cookie: Cookie, after: SequenceNumber, through: SequenceNumber,
    offset: WireCount
  ) {
    self.viewer = viewer
    self.cookie = cookie
    self.after = after
    self.through = through
    self.offset = offset
  }
}

/// The records of all live values in a range, or a fragment of the only one.
package struct ValueReply: Equatable, Sendable {
  package var viewer: ViewerID
  package var range: RecordSpan
  /// The newest record that the app has made.
  package var newestRecord: SequenceNumber
  /// How many values the app has dropped for lack of space since the session began.
  package var leftOut: WireCount
  /// How many more datagrams of this answer follow.
  package var rest: WireCount
  /// Encoded frames, for `FrameReader`.
  package var frames: [UInt8]

  /// Octets of the datagram before the frames.
  package static let overhead = Limits.headerSize + 44

  package init(
    viewer: ViewerID, range: RecordSpan, newestRecord: SequenceNumber, leftOut: WireCount,
    rest: WireCount, frames: [UInt8]
  ) {
    self.viewer = viewer
    self.range = range
    self.newestRecord = newestRecord
    self.leftOut = leftOut
    self.rest = rest
    self.frames = frames
  }
}

/// The records after one number, up to and including another; never empty.
package struct RecordSpan: Equatable, Sendable {
  package let after: SequenceNumber
  package let through: SequenceNumber

  /// Nil if empty, or if `through` is not a record's number.
  package init?(after: SequenceNumber, through: SequenceNumber) {
    guard after < through, through < .max else { return nil }
    (self.after, self.through) = (after, through)
  }

  package func contains(_ record: SequenceNumber) -> Bool { record > after && record <= through }
}

extension ValueRequest: WireBody {
  func encode(into writer: inout ByteWriter) {
    writer.integer(viewer.rawValue)
    writer.integer(cookie.rawValue)
    writer.integer(after)
    writer.integer(through)
    writer.count(offset, as: UInt32.self)
  }

  init(from reader: inout ByteReader, flags: DatagramFlags) throws(WireError) {
    viewer = ViewerID(rawValue: try reader.integer("viewer"))
    cookie = Cookie(rawValue: try reader.integer("cookie"))
    after = try reader.sequence("after")
    through = try reader.sequence("through")
    offset = try reader.count("offset", as: UInt32.self)
    guard RecordSpan(after: after, through: through) != nil else {
      throw .invalid(field: "through")
    }
    try offset.check("offset", limit: WireCount(Limits.recordSizeMax))
  }
}

extension ValueReply: WireBody {
  func encode(into writer: inout ByteWriter) {
    writer.integer(viewer.rawValue)
    writer.integer(range.after)
    writer.integer(range.through)
    writer.integer(newestRecord)
    writer.count(leftOut, as: UInt64.self)
    writer.count(rest, as: UInt32.self)
    writer.append(frames)
  }

  init(from reader: inout ByteReader, flags: DatagramFlags) throws(WireError) {
    viewer = ViewerID(rawValue: try reader.integer("viewer"))
    let range = RecordSpan(
      after: try reader.sequence("after"), through: try reader.sequence("through"))
    newestRecord = try reader.sequence("newest record")
    guard let range, range.through <= newestRecord, newestRecord < .max else {
      throw .invalid(field: "through")
    }
    self.range = range
    leftOut = try reader.count("left out", as: UInt64.self)
    rest = try reader.count("rest", as: UInt32.self)
    frames = reader.remainder()
  }
}
