// The bytes of a whole datagram: Protocol.md §6.

extension Datagram {
  package static let version: UInt8 = 1

  // Part of the wire format: append only. 20 to 127 are reserved, 128 and up are for experiments.
  enum Code {
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
    static let windowUpdate: UInt8 = 12
    static let seek: UInt8 = 13
    static let offer: UInt8 = 14
    static let check: UInt8 = 15
    static let proof: UInt8 = 16
    static let resetByDelta: UInt8 = 17
    static let valueRequest: UInt8 = 18
    static let valueReply: UInt8 = 19
  }

  package func encoded() -> [UInt8] {
    let (code, content) = wire
    var writer = ByteWriter(capacity: Limits.datagramSizeMax)
    DatagramHeader(code: code, flags: content.flags, session: session).encode(into: &writer)
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

  private var wire: (code: UInt8, content: any WireBody) {
    switch body {
    case .data(let content): (Code.data, content)
    case .heartbeat(let content): (Code.heartbeat, content)
    case .goodbye(let content): (Code.goodbye, content)
    case .probe(let content): (Code.probe, content)
    case .hello(let content): (Code.hello, content)
    case .welcome(let content): (Code.welcome, content)
    case .nak(let content): (Code.nak, content)
    case .reset(let content): (content.form.code, content)
    case .resetProgress(let content): (Code.resetProgress, content)
    case .outcome(let content): (Code.outcome, content)
    case .windowUpdate(let content): (Code.windowUpdate, content)
    case .seek(let content): (Code.seek, content)
    case .offer(let content): (Code.offer, content)
    case .check(let content): (Code.check, content)
    case .proof(let content): (Code.proof, content)
    case .valueRequest(let content): (Code.valueRequest, content)
    case .valueReply(let content): (Code.valueReply, content)
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
    case Datagram.Code.command:
      self = .reset(try Reset(from: &reader, flags: flags, form: .command))
    case Datagram.Code.resetByDelta:
      self = .reset(try Reset(from: &reader, flags: flags, form: .delta))
    case Datagram.Code.resetProgress:
      self = .resetProgress(try ResetProgress(from: &reader, flags: flags))
    case Datagram.Code.outcome: self = .outcome(try Outcome(from: &reader, flags: flags))
    case Datagram.Code.windowUpdate:
      self = .windowUpdate(try WindowUpdate(from: &reader, flags: flags))
    case Datagram.Code.seek: self = .seek(try Seek(from: &reader, flags: flags))
    case Datagram.Code.offer: self = .offer(try Offer(from: &reader, flags: flags))
    case Datagram.Code.check: self = .check(try Check(from: &reader, flags: flags))
    case Datagram.Code.proof: self = .proof(try Proof(from: &reader, flags: flags))
    case Datagram.Code.valueRequest:
      self = .valueRequest(try ValueRequest(from: &reader, flags: flags))
    case Datagram.Code.valueReply:
      self = .valueReply(try ValueReply(from: &reader, flags: flags))
    default: throw .unknownType(code)
    }
  }
}

extension Reset.Form {
  fileprivate var code: UInt8 {
    switch self {
    case .state: Datagram.Code.reset
    case .delta: Datagram.Code.resetByDelta
    case .command: Datagram.Code.command
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
