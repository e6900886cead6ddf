// The messages that let a viewer get history from another viewer, and have the app verify it:
// Protocol.md §A.2 to §A.5. §A.1 describes the procedure.

/// "Who has these packets?", to all viewers (§A.2).
package struct Seek: Equatable, Sendable {
  package var viewer: ViewerID
  package var wanted: ClosedRange<SequenceNumber>

  /// - Precondition: the range neither begins at 0 nor ends at `.max`.
  package init(viewer: ViewerID, wanted: ClosedRange<SequenceNumber>) {
    self.viewer = viewer
    self.wanted = wanted
  }
}

/// "I have these, without a gap": answers a seek (§A.3).
package struct Offer: Equatable, Sendable {
  /// The viewer that sent the seek.
  package var viewer: ViewerID
  /// Issued by the repairer, for requests to it.
  package var cookie: Cookie
  package var held: ClosedRange<SequenceNumber>

  /// - Precondition: the range neither begins at 0 nor ends at `.max`.
  package init(viewer: ViewerID, cookie: Cookie, held: ClosedRange<SequenceNumber>) {
    self.viewer = viewer
    self.cookie = cookie
    self.held = held
  }
}

/// "What are the digests of your packets in these ranges, under this key?", to the app (§A.4).
package struct Check: Equatable, Sendable {
  package var viewer: ViewerID
  package var cookie: Cookie
  package var key: DigestKey
  /// 1 to `Limits.checkRangeCountMax` ranges, each of at most `Limits.checkRangeSizeMax` packets.
  package var ranges: [PacketRange]

  package init(viewer: ViewerID, cookie: Cookie, key: DigestKey, ranges: [PacketRange]) {
    self.viewer = viewer
    self.cookie = cookie
    self.key = key
    self.ranges = ranges
  }
}

/// Answers a check with the digest of each range, or nil if the app no longer has all of it (§A.5).
package struct Proof: Equatable, Sendable {
  package var viewer: ViewerID
  /// The first number of the check's key, so that the viewer knows which check this answers.
  package var key: UInt64
  package var digests: [Digest?]

  package init(viewer: ViewerID, key: UInt64, digests: [Digest?]) {
    self.viewer = viewer
    self.key = key
    self.digests = digests
  }
}

extension Seek: WireBody {
  func encode(into writer: inout ByteWriter) {
    writer.integer(viewer.rawValue)
    writer.sequences(wanted)
    writer.pad(to: Limits.seekSize)
  }

  init(from reader: inout ByteReader, flags: DatagramFlags) throws(WireError) {
    try reader.require(Limits.seekSize - Limits.headerSize, "seek padding")
    viewer = ViewerID(rawValue: try reader.integer("viewer"))
    wanted = try reader.sequences("wanted packets")
  }
}

extension Offer: WireBody {
  func encode(into writer: inout ByteWriter) {
    writer.integer(viewer.rawValue)
    writer.integer(cookie.rawValue)
    writer.sequences(held)
  }

  init(from reader: inout ByteReader, flags: DatagramFlags) throws(WireError) {
    viewer = ViewerID(rawValue: try reader.integer("viewer"))
    cookie = Cookie(rawValue: try reader.integer("cookie"))
    held = try reader.sequences("held packets")
  }
}

extension Check: WireBody {
  func encode(into writer: inout ByteWriter) {
    writer.integer(viewer.rawValue)
    writer.integer(cookie.rawValue)
    writer.integer(key.first)
    writer.integer(key.second)
    writer.integer(UInt16(ranges.count))
    for range in ranges {
      writer.integer(range.first)
      writer.count(range.count, as: UInt32.self)
    }
  }

  init(from reader: inout ByteReader, flags: DatagramFlags) throws(WireError) {
    viewer = ViewerID(rawValue: try reader.integer("viewer"))
    cookie = Cookie(rawValue: try reader.integer("cookie"))
    key = DigestKey(first: try reader.integer("key"), second: try reader.integer("key"))
    ranges = []
    for _ in 0..<(try reader.checkRangeCount()) {
      let range = try reader.packetRange()
      try range.count.check("range length", limit: WireCount(Limits.checkRangeSizeMax))
      ranges.append(range)
    }
  }
}

extension Proof: WireBody {
  func encode(into writer: inout ByteWriter) {
    writer.integer(viewer.rawValue)
    writer.integer(key)
    writer.integer(UInt16(digests.count))
    for digest in digests { writer.integer(digest?.rawValue ?? .max) }
  }

  init(from reader: inout ByteReader, flags: DatagramFlags) throws(WireError) {
    viewer = ViewerID(rawValue: try reader.integer("viewer"))
    key = try reader.integer("key")
    digests = []
    for _ in 0..<(try reader.checkRangeCount()) {
      let value = try reader.integer("digest", as: UInt64.self)
      let digest = Digest(rawValue: value)
      guard digest != nil || value == .max else { throw .invalid(field: "digest") }
      digests.append(digest)
    }
  }
}

extension ByteWriter {
  fileprivate mutating func sequences(_ range: ClosedRange<SequenceNumber>) {
    integer(range.lowerBound)
    integer(range.upperBound)
  }
}

extension ByteReader {
  fileprivate mutating func sequences(_ field: String) throws(WireError) -> ClosedRange<
    SequenceNumber
  > {
    let first = try sequence(field)
    let last = try sequence(field)
    guard first > 0, first <= last, last < .max else { throw .invalid(field: field) }
    return first...last
  }

  fileprivate mutating func checkRangeCount() throws(WireError) -> Int {
    let count = try count("range count", as: UInt16.self, max: Limits.checkRangeCountMax)
    guard count > 0 else { throw .invalid(field: "range count") }
    return count
  }
}
