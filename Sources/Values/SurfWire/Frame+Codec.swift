// The bytes of frames (Protocol.md §7.1), in data packets and in replies with live values (§10.10).

extension Frame {
  // Part of the wire format: append only. 0 is padding, 4 to 127 are reserved, 128 and up are for
  // experiments.
  package enum Kind: UInt8 {
    case record = 1
    case fragment, restored
  }

  /// Appends the encoded frame to the body of a packet or of a reply with live values.
  ///
  /// - Precondition: the frame's body has at most 65,535 octets. Datagrams are far smaller.
  package func append(to bytes: inout [UInt8]) {
    var writer = ByteWriter(capacity: 64)
    let kind: Kind
    switch self {
    case .record(let record):
      kind = .record
      writer.append(record)
    case .fragment(let fragment):
      kind = .fragment
      fragment.encode(into: &writer)
    case .restored(let restored):
      kind = .restored
      restored.encode(into: &writer)
    }
    let body = writer.finish()
    let size = body.count
    bytes.append(contentsOf: [
      kind.rawValue, 0, UInt8(truncatingIfNeeded: size >> 8), UInt8(size & 0xff),
    ])
    bytes.append(contentsOf: body)
  }
}

/// A frame read in place, in bytes that the caller owns.
package struct FrameView {
  package let kind: Frame.Kind
  package let body: UnsafeRawBufferPointer
}

/// A fragment read in place, in bytes that the caller owns.
package struct FragmentView {
  package let record: SequenceNumber
  package let total: WireCount
  package let offset: WireCount
  package let bytes: UnsafeRawBufferPointer

  /// The bytes must outlive the view.
  package init(
    record: SequenceNumber, total: WireCount, offset: WireCount, bytes: UnsafeRawBufferPointer
  ) {
    self.record = record
    self.total = total
    self.offset = offset
    self.bytes = bytes
  }
}

/// Reads the frames of a data packet or of a reply with live values one by one, without copying. It
/// skips frames of a type that this version does not know (Protocol.md §16).
///
/// The bytes must outlive the reader and its frames.
package struct FrameReader {
  private var reader: ByteReader

  package init(_ body: UnsafeRawBufferPointer) { reader = ByteReader(body) }

  /// Nil at the end. Stop after an error: where the next frame starts is then unknown.
  package mutating func next() throws(WireError) -> FrameView? {
    while !reader.isEmpty {
      // Protocol.md §7.1: zeros are padding, even fewer than a frame header has.
      if reader.count < Frame.headerSize, reader.rest.allSatisfy({ $0 == 0 }) { return nil }
      let code = try reader.integer("frame type", as: UInt8.self)
      try reader.skip(1, "frame flags")
      let size = Int(try reader.integer("frame length", as: UInt16.self))
      let body = try reader.nested(size, "frame").rest
      if let kind = Frame.Kind(rawValue: code) { return FrameView(kind: kind, body: body) }
    }
    return nil
  }
}

extension FragmentView {
  package init(decoding body: UnsafeRawBufferPointer) throws(WireError) {
    var reader = ByteReader(body)
    record = try reader.sequence("fragment record")
    total = try reader.count("fragment total", as: UInt32.self)
    offset = try reader.count("fragment offset", as: UInt32.self)
    bytes = reader.rest
    try total.check("fragment total", limit: WireCount(Limits.recordSizeMax))
    try offset.adding(WireCount(bytes.count)).check("fragment offset", limit: total)
    guard !bytes.isEmpty else { throw .invalid(field: "fragment") }
  }
}

extension Fragment {
  fileprivate func encode(into writer: inout ByteWriter) {
    writer.integer(record)
    writer.count(total, as: UInt32.self)
    writer.count(offset, as: UInt32.self)
    writer.append(bytes)
  }
}

extension Restored {
  fileprivate func encode(into writer: inout ByteWriter) {
    writer.integer(request)
    writer.integer(viewer.rawValue)
    writer.integer(position.wire)
    writer.integer(newestRecord)
    writer.count(moveCount, as: UInt64.self)
    outcome.encode(into: &writer)
    writer.text(viewerName, length: UInt8.self, max: Limits.labelSizeMax)
  }

  package init(decoding body: UnsafeRawBufferPointer) throws(WireError) {
    var reader = ByteReader(body)
    request = try reader.integer("request")
    viewer = ViewerID(rawValue: try reader.integer("viewer"))
    position = Position(wire: try reader.sequence("position"))
    newestRecord = try reader.sequence("newest record")
    guard newestRecord < .max else { throw .invalid(field: "newest record") }
    moveCount = try reader.count("moves", as: UInt64.self)
    outcome = try Outcome.Result(from: &reader)
    viewerName = try reader.text("viewer name", length: UInt8.self, max: Limits.labelSizeMax)
  }
}
