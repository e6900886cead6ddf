// What an app's values are asked for and told with: Protocol.md §10.10.

/// "Which values are live whose records lie in this range?"
package struct ValueRequest: Equatable, Sendable {
  package var viewer: ViewerID
  package var cookie: Cookie
  /// The record before the first that is asked for.
  package var after: SequenceNumber
  /// The last that is asked for.
  package var through: SequenceNumber
  /// Octets of the first record asked for that the viewer has.
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

/// The records of all live values in a range, or a piece of the only one.
package struct ValueReply: Equatable, Sendable {
  package var viewer: ViewerID
  package var range: RecordSpan
  /// The newest that the app has made.
  package var newestRecord: SequenceNumber
  /// Values that the app has no room for, counted since the session began.
  package var leftOut: WireCount
  /// Datagrams of the same answer that follow.
  package var rest: WireCount
  /// Encoded frames; `Frame.decode` reads them.
  package var frames: [UInt8]

  /// Octets of its datagram before the frames.
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

/// The records after one and through another; never empty.
package struct RecordSpan: Hashable, Sendable {
  package let after: SequenceNumber
  package let through: SequenceNumber

  /// Nil if it would be empty, or end with a number that no record has.
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
