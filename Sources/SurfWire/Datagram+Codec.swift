// The common header: Protocol.md §6.

extension Datagram {
  /// "SS".
  fileprivate static let magic: UInt16 = 0x5353
  package static let version: UInt8 = 1

  // The numbers are the wire's: append only. 13 to 127 are reserved, 128 and up for experiments.
  fileprivate enum Code {
    static let data: UInt8 = 1
    static let heartbeat: UInt8 = 2
    static let goodbye: UInt8 = 3
    static let probe: UInt8 = 4
    static let hello: UInt8 = 5
    static let welcome: UInt8 = 6
    static let nak: UInt8 = 7
    static let reset: UInt8 = 8
    static let resetProgress: UInt8 = 9
    static let outcome: UInt8 = 10
    static let command: UInt8 = 11
    static let report: UInt8 = 12
  }

  package func encoded() -> [UInt8] {
    let (code, content) = wire
    var writer = ByteWriter(capacity: Limits.datagramSizeMax)
    DatagramHeader(code: code, flags: content.flags, session: session).encode(into: &writer)
    content.encode(into: &writer)
    return writer.bytes
  }

  /// Reads one UDP payload.
  ///
  /// Bytes after what this version knows of a body are ignored: a later minor revision may append
  /// fields (Protocol.md §16).
  package init(decoding bytes: UnsafeRawBufferPointer) throws(WireError) {
    var reader = ByteReader(bytes)
    let header = try DatagramHeader(from: &reader)
    session = header.session
    body = try Body(code: header.code, flags: header.flags, from: &reader)
    // Protocol.md §7.4: only a probe speaks to everybody.
    let isProbe = if case .probe = body { true } else { false }
    guard isProbe || session != .none else { throw .invalid(field: "session id") }
  }

  package init(decoding bytes: [UInt8]) throws(WireError) {
    let result = bytes.withUnsafeBytes { raw in
      Result { () throws(WireError) in try Datagram(decoding: raw) }
    }
    self = try result.get()
  }

  private var wire: (code: UInt8, content: any WireBody) {
    switch body {
    case .data(let content): (Code.data, content)
    case .heartbeat(let content): (Code.heartbeat, content)
    case .goodbye(let content): (Code.goodbye, content)
    case .probe(let content): (Code.probe, content)
    case .hello(let content): (Code.hello, content)
    case .welcome(let content): (Code.welcome, content)
    case .nak(let content): (Code.nak, content)
    case .reset(let content): (content.isCommand ? Code.command : Code.reset, content)
    case .resetProgress(let content): (Code.resetProgress, content)
    case .outcome(let content): (Code.outcome, content)
    case .report(let content): (Code.report, content)
    }
  }
}

extension Datagram.Body {
  fileprivate init(code: UInt8, flags: DatagramFlags, from reader: inout ByteReader)
    throws(WireError)
  {
    switch code {
    case Datagram.Code.data: self = .data(try DataPacket(from: &reader, flags: flags))
    case Datagram.Code.heartbeat: self = .heartbeat(try Heartbeat(from: &reader, flags: flags))
    case Datagram.Code.goodbye: self = .goodbye(try Goodbye(from: &reader, flags: flags))
    case Datagram.Code.probe: self = .probe(try Probe(from: &reader, flags: flags))
    case Datagram.Code.hello: self = .hello(try Hello(from: &reader, flags: flags))
    case Datagram.Code.welcome: self = .welcome(try Welcome(from: &reader, flags: flags))
    case Datagram.Code.nak: self = .nak(try NAK(from: &reader, flags: flags))
    case Datagram.Code.reset: self = .reset(try Reset(from: &reader, flags: flags))
    case Datagram.Code.command: self = .reset(try Reset(from: &reader, isCommand: true))
    case Datagram.Code.resetProgress:
      self = .resetProgress(try ResetProgress(from: &reader, flags: flags))
    case Datagram.Code.outcome: self = .outcome(try Outcome(from: &reader, flags: flags))
    case Datagram.Code.report: self = .report(try Report(from: &reader, flags: flags))
    default: throw .unknownType(code)
    }
  }
}

/// The sixteen octets that every datagram begins with.
private struct DatagramHeader {
  var code: UInt8
  var flags: DatagramFlags
  var session: SessionID

  init(code: UInt8, flags: DatagramFlags, session: SessionID) {
    (self.code, self.flags, self.session) = (code, flags, session)
  }

  func encode(into writer: inout ByteWriter) {
    writer.integer(Datagram.magic)
    writer.integer(Datagram.version)
    writer.integer(code)
    writer.integer(UInt8(Limits.headerSize))
    writer.integer(UInt8(0))
    writer.integer(flags.rawValue)
    writer.integer(session.rawValue)
  }

  /// Reads the header, extensions of later versions included.
  init(from reader: inout ByteReader) throws(WireError) {
    guard reader.count <= Limits.datagramSizeMax else {
      throw .beyondLimit(
        field: "datagram", value: reader.count, limit: Limits.datagramSizeMax)
    }
    guard try reader.integer("magic", as: UInt16.self) == Datagram.magic else { throw .foreign }
    let version = try reader.integer("version", as: UInt8.self)
    guard version == Datagram.version else { throw .unsupportedVersion(version) }
    code = try reader.integer("type")
    let size = Int(try reader.integer("header length", as: UInt8.self))
    let keyID = try reader.integer("key id", as: UInt8.self)
    guard keyID == 0 else { throw .encrypted(keyID: keyID) }
    flags = DatagramFlags(rawValue: try reader.integer("flags"))
    session = SessionID(rawValue: try reader.integer("session id"))
    guard size >= Limits.headerSize else { throw .invalid(field: "header length") }
    try reader.skip(size - Limits.headerSize, "header extension")
  }
}

/// One UDP payload as it came: a packet is left where it lies, because there are thousands a
/// second.
package enum IncomingDatagram {
  case packet(SessionID, PacketView)
  case message(Datagram)

  /// The bytes must outlive a packet that is made of them.
  package init(decoding bytes: UnsafeRawBufferPointer) throws(WireError) {
    var reader = ByteReader(bytes)
    let header = try DatagramHeader(from: &reader)
    guard header.code == Datagram.Code.data, header.session != .none else {
      self = .message(try Datagram(decoding: bytes))
      return
    }
    self = .packet(header.session, try PacketView(from: &reader, flags: header.flags))
  }
}
