/// One UDP payload: who it is about, and what it says (Protocol.md §6).
package struct Datagram: Equatable, Sendable {
  package var session: SessionID
  package var body: Body

  package init(session: SessionID, body: Body) {
    self.session = session
    self.body = body
  }

  package enum Body: Equatable, Sendable {
    case data(DataPacket)
    case heartbeat(Heartbeat)
    case goodbye(Goodbye)
    case probe(Probe)
    case hello(Hello)
    case welcome(Welcome)
    case nak(NAK)
    case reset(Reset)
    case resetProgress(ResetProgress)
    case outcome(Outcome)
  }
}

/// Bits that change what a datagram means (Protocol.md §6); unknown ones are ignored.
package struct DatagramFlags: OptionSet, Sendable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }
  /// Sent before: an answer to a NAK.
  package static let repair = DatagramFlags(rawValue: 1)
  /// Of a late join: asked for by one, answered to one.
  package static let history = DatagramFlags(rawValue: 2)
}

/// The next packet of a session's stream, or a repeated one (Protocol.md §7.1).
package struct DataPacket: Equatable, Sendable {
  package var sequence: UInt64
  /// The trailing edge at the time of sending.
  package var oldestPacket: UInt64
  package var flags: DatagramFlags
  /// Encoded frames; `Frame.decode` reads them.
  package var frames: [UInt8]

  /// Octets of a data datagram before its frames.
  package static let overhead = Limits.headerSize + 12

  package init(
    sequence: UInt64, oldestPacket: UInt64, flags: DatagramFlags = [], frames: [UInt8]
  ) {
    self.sequence = sequence
    self.oldestPacket = oldestPacket
    self.flags = flags
    self.frames = frames
  }
}

extension DataPacket: WireBody {
  /// Renews, in an encoded data datagram, what changes between the first sending and a repair.
  ///
  /// - Precondition: `datagram` is one that `Datagram.encoded()` made of a data packet.
  package static func stamp(
    _ datagram: inout [UInt8], flags: DatagramFlags, oldestPacket: UInt64
  ) {
    let sequence = UInt64(bigEndian: datagram.load(at: Limits.headerSize))
    datagram.store(flags.rawValue.bigEndian, at: 6)
    let retained = UInt32(clamping: sequence - min(oldestPacket, sequence))
    datagram.store(retained.bigEndian, at: Limits.headerSize + 8)
  }

  func encode(into writer: inout ByteWriter) {
    writer.integer(sequence)
    writer.integer(UInt32(clamping: sequence - min(oldestPacket, sequence)))
    writer.append(frames)
  }

  init(from reader: inout ByteReader, flags: DatagramFlags) throws(WireError) {
    sequence = try reader.integer("packet sequence")
    let retained = try reader.integer("retained", as: UInt32.self)
    guard sequence > 0, sequence < .max, UInt64(retained) < sequence else {
      throw .invalid(field: "packet sequence")
    }
    oldestPacket = sequence - UInt64(retained)
    self.flags = flags
    frames = reader.remainder()
  }
}

extension [UInt8] {
  fileprivate func load<I: FixedWidthInteger>(at offset: Int) -> I {
    withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: I.self) }
  }

  fileprivate mutating func store<I: FixedWidthInteger>(_ value: I, at offset: Int) {
    withUnsafeMutableBytes { $0.storeBytes(of: value, toByteOffset: offset, as: I.self) }
  }
}
