// The bytes of a whole datagram: Protocol.md §6.

extension Datagram {
  package static let version: UInt8 = 1

  // Part of the wire format: append only. 20 to 127 are reserved, 128 and up are for experiments.
  enum Code: UInt8 {
    case data = 1
    case heartbeat, goodbye, probe, hello, welcome, nak, reset, resetProgress, outcome, command
    case windowUpdate, seek, offer, check, proof, resetByDelta, valueRequest, valueReply
  }

  package func encoded() -> [UInt8] {
    let (code, content) = wire
    var writer = ByteWriter(capacity: Limits.datagramSizeMax)
    DatagramHeader(code: code.rawValue, flags: content.flags, session: session)
      .encode(into: &writer)
    content.encode(into: &writer)
    return writer.finish()
  }

  /// Reads one UDP payload.
  ///
  /// Octets after the known part of a body are ignored: a later minor revision may append fields
  /// (Protocol.md §16).
  package init(decoding bytes: UnsafeRawBufferPointer) throws(WireError) {
    var reader = ByteReader(bytes)
    let header = try DatagramHeader(from: &reader)
    session = header.session
    body = try Body(code: header.code, flags: header.flags, from: &reader)
    // Protocol.md §7.4: only a probe may go to all sessions.
    let isProbe = if case .probe = body { true } else { false }
    guard isProbe || session != .none else { throw .invalid(field: "session id") }
  }

  private var wire: (code: Code, content: any WireBody) {
    switch body {
    case .data(let content): (.data, content)
    case .heartbeat(let content): (.heartbeat, content)
    case .goodbye(let content): (.goodbye, content)
    case .probe(let content): (.probe, content)
    case .hello(let content): (.hello, content)
    case .welcome(let content): (.welcome, content)
    case .nak(let content): (.nak, content)
    case .reset(let content): (content.form.code, content)
    case .resetProgress(let content): (.resetProgress, content)
    case .outcome(let content): (.outcome, content)
    case .windowUpdate(let content): (.windowUpdate, content)
    case .seek(let content): (.seek, content)
    case .offer(let content): (.offer, content)
    case .check(let content): (.check, content)
    case .proof(let content): (.proof, content)
    case .valueRequest(let content): (.valueRequest, content)
    case .valueReply(let content): (.valueReply, content)
    }
  }
}

extension Datagram.Body {
  fileprivate init(code: UInt8, flags: DatagramFlags, from reader: inout ByteReader)
    throws(WireError)
  {
    switch Datagram.Code(rawValue: code) {
    case .data: self = .data(try DataPacket(from: &reader, flags: flags))
    case .heartbeat: self = .heartbeat(try Heartbeat(from: &reader, flags: flags))
    case .goodbye: self = .goodbye(try Goodbye(from: &reader, flags: flags))
    case .probe: self = .probe(try Probe(from: &reader, flags: flags))
    case .hello: self = .hello(try Hello(from: &reader, flags: flags))
    case .welcome: self = .welcome(try Welcome(from: &reader, flags: flags))
    case .nak: self = .nak(try NAK(from: &reader, flags: flags))
    case .reset: self = .reset(try Reset(from: &reader, flags: flags))
    case .command: self = .reset(try Reset(from: &reader, flags: flags, form: .command))
    case .resetByDelta: self = .reset(try Reset(from: &reader, flags: flags, form: .delta))
    case .resetProgress: self = .resetProgress(try ResetProgress(from: &reader, flags: flags))
    case .outcome: self = .outcome(try Outcome(from: &reader, flags: flags))
    case .windowUpdate: self = .windowUpdate(try WindowUpdate(from: &reader, flags: flags))
    case .seek: self = .seek(try Seek(from: &reader, flags: flags))
    case .offer: self = .offer(try Offer(from: &reader, flags: flags))
    case .check: self = .check(try Check(from: &reader, flags: flags))
    case .proof: self = .proof(try Proof(from: &reader, flags: flags))
    case .valueRequest: self = .valueRequest(try ValueRequest(from: &reader, flags: flags))
    case .valueReply: self = .valueReply(try ValueReply(from: &reader, flags: flags))
    case nil: throw .unknownType(code)
    }
  }
}

extension Reset.Form {
  fileprivate var code: Datagram.Code {
    switch self {
    case .state: .reset
    case .delta: .resetByDelta
    case .command: .command
    }
  }
}

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

  /// Reads the header, and any extension of a later version.
  init(from reader: inout ByteReader, mayBeSealed: Bool = false) throws(WireError) {
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
