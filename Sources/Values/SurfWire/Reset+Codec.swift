// The bytes of a reset in all its forms: Protocol.md §11.2, §11.5, §11.8.

extension Reset {
  /// The most octets of a reset datagram without the state's.
  package static let overheadMax =
    Limits.headerSize + 40 + 3 + 2 * Limits.labelSizeMax + Limits.contentTypeSizeMax

  /// The `total` that means "no state": longer than any state.
  private static let initialTotal = WireCount(UInt32.max)
}

extension Reset: WireBody {
  var flags: DatagramFlags { fileName == nil ? [] : .named }

  func encode(into writer: inout ByteWriter) {
    writer.integer(viewer.rawValue)
    writer.integer(cookie.rawValue)
    writer.integer(request)
    writer.integer(form == .command ? Position.elsewhere.wire : target.wire)
    switch part {
    case .initial:
      writer.count(Self.initialTotal, as: UInt32.self)
      writer.integer(UInt32(0))
      writer.text(viewerName, length: UInt8.self, max: Limits.labelSizeMax)
      writer.text("", length: UInt8.self, max: Limits.contentTypeSizeMax)
      encodeFileName(into: &writer)
    case .bytes(let contentType, let total, let offset, let bytes):
      writer.count(total, as: UInt32.self)
      writer.count(offset, as: UInt32.self)
      writer.text(viewerName, length: UInt8.self, max: Limits.labelSizeMax)
      writer.text(contentType, length: UInt8.self, max: Limits.contentTypeSizeMax)
      encodeFileName(into: &writer)
      writer.append(bytes)
    }
  }

  private func encodeFileName(into writer: inout ByteWriter) {
    guard let fileName else { return }
    writer.text(fileName, length: UInt8.self, max: Limits.labelSizeMax)
  }

  init(from reader: inout ByteReader, flags: DatagramFlags) throws(WireError) {
    try self.init(from: &reader, flags: flags, form: .state)
  }

  init(
    from reader: inout ByteReader, flags: DatagramFlags, form: Form
  ) throws(WireError) {
    self.form = form
    viewer = ViewerID(rawValue: try reader.integer("viewer"))
    cookie = Cookie(rawValue: try reader.integer("cookie"))
    request = try reader.integer("request")
    target = Position(wire: try reader.sequence("target"))
    let total = try reader.count("reset total", as: UInt32.self)
    let offset = try reader.count("reset offset", as: UInt32.self)
    viewerName = try reader.text("viewer name", length: UInt8.self, max: Limits.labelSizeMax)
    let contentType = try reader.text(
      "content type", length: UInt8.self, max: Limits.contentTypeSizeMax)
    if flags.contains(.named) {
      fileName = try reader.text("file name", length: UInt8.self, max: Limits.labelSizeMax)
    }
    // Protocol.md §11.5, §11.8: a command or a delta is never empty.
    guard form == .state || (!total.isZero && total != Self.initialTotal) else {
      throw .invalid(field: "reset total")
    }
    if form == .command { target = .elsewhere }
    if total == Self.initialTotal {
      part = .initial
      return
    }
    let bytes = reader.remainder()
    try total.check("reset total", limit: WireCount(Limits.contentSizeMax))
    try offset.adding(WireCount(bytes.count)).check("reset offset", limit: total)
    part = .bytes(contentType: contentType, total: total, offset: offset, bytes)
  }
}
