// The bytes of frames: Protocol.md §7.1.

extension Frame {
  // The numbers are the wire's: append only. 4 to 127 are reserved, 128 and up for experiments.
  private enum Code {
    static let record: UInt8 = 1
    static let fragment: UInt8 = 2
    static let restored: UInt8 = 3
  }

  /// Appends the frame to a packet's body.
  ///
  /// - Precondition: the body of the frame is at most 65,535 octets; a packet is far smaller.
  package func append(to bytes: inout [UInt8]) {
    var writer = ByteWriter(capacity: 64)
    let code: UInt8
    switch self {
    case .record(let record):
      code = Code.record
      writer.append(record)
    case .fragment(let fragment):
      code = Code.fragment
      fragment.encode(into: &writer)
    case .restored(let restored):
      code = Code.restored
      restored.encode(into: &writer)
    }
    let size = writer.bytes.count
    bytes.append(contentsOf: [code, 0, UInt8(truncatingIfNeeded: size >> 8), UInt8(size & 0xff)])
    bytes.append(contentsOf: writer.bytes)
  }

  /// The frames of a packet's body. Frames of a type that this version does not know are passed
  /// over by their length (Protocol.md §16).
  package static func decode(_ body: [UInt8]) throws(WireError) -> [Frame] {
    let result = body.withUnsafeBytes { raw in
      Result { () throws(WireError) in
        var reader = ByteReader(raw)
        return try frames(from: &reader)
      }
    }
    return try result.get()
  }

  private static func frames(from reader: inout ByteReader) throws(WireError) -> [Frame] {
    var frames: [Frame] = []
    while !reader.isEmpty {
      let code = try reader.integer("frame type", as: UInt8.self)
      try reader.skip(1, "frame flags")
      let size = Int(try reader.integer("frame length", as: UInt16.self))
      var body = try reader.nested(size, "frame")
      switch code {
      case Code.record: frames.append(.record(body.remainder()))
      case Code.fragment: frames.append(.fragment(try Fragment(from: &body)))
      case Code.restored: frames.append(.restored(try Restored(from: &body)))
      default: continue
      }
    }
    return frames
  }
}

extension Fragment {
  fileprivate func encode(into writer: inout ByteWriter) {
    writer.integer(record)
    writer.integer(total)
    writer.integer(offset)
    writer.append(bytes)
  }

  fileprivate init(from reader: inout ByteReader) throws(WireError) {
    record = try reader.integer("fragment record")
    total = try reader.integer("fragment total")
    offset = try reader.integer("fragment offset")
    bytes = reader.remainder()
    guard total <= Limits.recordSizeMax else {
      throw .beyondLimit(
        field: "fragment total", value: Int(total), limit: Limits.recordSizeMax)
    }
    let end = Int(offset) + bytes.count
    guard end <= total else {
      throw .beyondLimit(field: "fragment offset", value: end, limit: Int(total))
    }
    guard !bytes.isEmpty else { throw .invalid(field: "fragment") }
  }
}

extension Restored {
  fileprivate func encode(into writer: inout ByteWriter) {
    writer.integer(request)
    writer.integer(viewer.rawValue)
    writer.integer(position.wire)
    writer.integer(newestRecord)
    outcome.encode(into: &writer)
    writer.text(viewerName, length: UInt8.self, max: Limits.labelSizeMax)
  }

  fileprivate init(from reader: inout ByteReader) throws(WireError) {
    request = try reader.integer("request")
    viewer = ViewerID(rawValue: try reader.integer("viewer"))
    position = Position(wire: try reader.integer("position"))
    newestRecord = try reader.integer("newest record")
    outcome = try Outcome.Result(from: &reader)
    viewerName = try reader.text("viewer name", length: UInt8.self, max: Limits.labelSizeMax)
  }
}
