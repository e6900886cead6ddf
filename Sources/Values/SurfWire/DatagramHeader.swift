/// The common header, sixteen octets at the start of every datagram (Protocol.md §6).
struct DatagramHeader {
  /// "SS".
  private static let magic: UInt16 = 0x5353

  /// In octets, with any extension of a later version.
  private(set) var size = Limits.headerSize
  var code: UInt8
  /// 0: not sealed.
  private(set) var keyID: UInt8 = 0
  var flags: DatagramFlags
  var session: SessionID

  init(code: UInt8, flags: DatagramFlags, session: SessionID) {
    (self.code, self.flags, self.session) = (code, flags, session)
  }

  func encode(into writer: inout ByteWriter) {
    writer.integer(Self.magic)
    writer.integer(Datagram.version)
    writer.integer(code)
    writer.integer(UInt8(Limits.headerSize))
    writer.integer(keyID)
    writer.integer(flags.rawValue)
    writer.integer(session.rawValue)
  }

  /// Reads the header, and any extension of a later version; refuses sealed datagrams.
  init(from reader: inout ByteReader) throws(WireError) {
    try self.init(from: &reader, mayBeSealed: false)
  }

  init(from reader: inout ByteReader, mayBeSealed: Bool) throws(WireError) {
    guard reader.count <= Limits.datagramSizeMax else {
      throw .beyondLimit(
        field: "datagram", value: reader.count, limit: Limits.datagramSizeMax)
    }
    guard try reader.integer("magic", as: UInt16.self) == Self.magic else { throw .foreign }
    let version = try reader.integer("version", as: UInt8.self)
    guard version == Datagram.version else { throw .unsupportedVersion(version) }
    code = try reader.integer("type")
    size = Int(try reader.integer("header length", as: UInt8.self))
    keyID = try reader.integer("key id")
    guard keyID == 0 || mayBeSealed else { throw .unknownKey(id: keyID) }
    flags = DatagramFlags(rawValue: try reader.integer("flags"))
    session = SessionID(rawValue: try reader.integer("session id"))
    guard size >= Limits.headerSize else { throw .invalid(field: "header length") }
    try reader.skip(size - Limits.headerSize, "header extension")
  }
}
