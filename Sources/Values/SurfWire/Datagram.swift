/// One UDP payload: a session id and a message (Protocol.md §6).
package struct Datagram: Equatable, Sendable {
  package var session: SessionID
  package var body: Body

  package init(session: SessionID, body: Body) {
    self.session = session
    self.body = body
  }

  package indirect enum Body: Equatable, Sendable {
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
    case windowUpdate(WindowUpdate)
    case seek(Seek)
    case offer(Offer)
    case check(Check)
    case proof(Proof)
    case valueRequest(ValueRequest)
    case valueReply(ValueReply)
  }
}

/// Bits that change what a datagram means (Protocol.md §6). Unknown bits are ignored.
package struct DatagramFlags: OptionSet, Sendable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }
  /// A packet sent again, in answer to a NAK.
  package static let repair = DatagramFlags(rawValue: 1)
  /// History for one late joiner: in its request, and in the answer to it.
  package static let history = DatagramFlags(rawValue: 2)
  /// In a reset: a file name comes before the bytes.
  package static let named = DatagramFlags(rawValue: 4)
}

/// One packet of a session's stream, first sent or repeated (Protocol.md §7.1).
package struct DataPacket: Equatable, Sendable {
  package var sequence: SequenceNumber
  /// The trailing edge when it was sent.
  package var oldestPacket: SequenceNumber
  package var flags: DatagramFlags
  /// Encoded frames, for `FrameReader`.
  package var frames: [UInt8]

  /// Octets of a data datagram before its frames.
  package static let overhead = Limits.headerSize + 12

  package init(
    sequence: SequenceNumber, oldestPacket: SequenceNumber, flags: DatagramFlags = [],
    frames: [UInt8]
  ) {
    self.sequence = sequence
    self.oldestPacket = oldestPacket
    self.flags = flags
    self.frames = frames
  }
}

extension DataPacket: WireBody {
  /// Sets the flags of an encoded data datagram: all that differs between a packet and its repair.
  ///
  /// - Precondition: `datagram` is a data packet made by `Datagram.encoded()`.
  package static func mark(_ datagram: UnsafeMutableRawBufferPointer, with flags: DatagramFlags) {
    datagram.storeBytes(of: flags.rawValue.bigEndian, toByteOffset: 6, as: UInt16.self)
  }

  /// Writes how many packets before this one can still be repaired. The sender does so when the
  /// packet first leaves.
  ///
  /// - Precondition: `datagram` is a data packet made by `Datagram.encoded()`.
  package static func stamp(
    _ datagram: UnsafeMutableRawBufferPointer, oldestPacket: SequenceNumber
  ) {
    let sequence = SequenceNumber(
      UInt64(
        bigEndian: datagram.loadUnaligned(fromByteOffset: Limits.headerSize, as: UInt64.self)))
    let retained = UInt32(clamping: oldestPacket.distance(to: sequence).rawValue)
    datagram.storeBytes(
      of: retained.bigEndian, toByteOffset: Limits.headerSize + 8, as: UInt32.self)
  }

  func encode(into writer: inout ByteWriter) {
    writer.integer(sequence)
    writer.count(oldestPacket.distance(to: sequence), as: UInt32.self)
    writer.append(frames)
  }

  init(from reader: inout ByteReader, flags: DatagramFlags) throws(WireError) {
    let view = try PacketView(from: &reader)
    self.init(
      sequence: view.sequence, oldestPacket: view.oldestPacket, flags: flags,
      frames: [UInt8](view.frames))
  }

  /// The octets before a packet's frames. `number` and `stamp` fill in the rest.
  package static func header(session: SessionID) -> [UInt8] {
    let packet = DataPacket(sequence: 0, oldestPacket: 0, frames: [])
    return Datagram(session: session, body: .data(packet)).encoded()
  }

  /// Writes the sequence number into a packet's header.
  package static func number(_ datagram: UnsafeMutableRawBufferPointer, as sequence: SequenceNumber)
  {
    datagram.storeBytes(
      of: sequence.rawValue.bigEndian, toByteOffset: Limits.headerSize, as: UInt64.self)
  }
}

/// A data packet read in place: its frames stay in bytes that the caller owns.
package struct PacketView {
  package let sequence: SequenceNumber
  /// The trailing edge when it was sent.
  package let oldestPacket: SequenceNumber
  /// Encoded frames, for `FrameReader`.
  package let frames: UnsafeRawBufferPointer
  /// The datagram as received, if it was sealed.
  package let sealed: UnsafeRawBufferPointer?

  /// `frames` and `sealed` must outlive the view.
  package init(
    sequence: SequenceNumber, oldestPacket: SequenceNumber, frames: UnsafeRawBufferPointer,
    sealed: UnsafeRawBufferPointer? = nil
  ) {
    self.sequence = sequence
    self.oldestPacket = oldestPacket
    self.frames = frames
    self.sealed = sealed
  }

  init(from reader: inout ByteReader) throws(WireError) {
    try reader.require(Self.fieldsSize, "packet")
    self.init(unchecked: reader.rest)
    guard isValid else { throw .invalid(field: "packet sequence") }
  }

  /// Octets before the frames.
  static let fieldsSize = 12

  /// Reads the fields without validating them; see `isValid`.
  ///
  /// - Precondition: `bytes` has at least `fieldsSize` octets.
  init(unchecked bytes: UnsafeRawBufferPointer, sealed: UnsafeRawBufferPointer? = nil) {
    sequence = SequenceNumber(UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    let retained = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    // An impossible count yields 0, which `isValid` refuses.
    oldestPacket = sequence.goingBack(by: WireCount(retained))
    frames = UnsafeRawBufferPointer(rebasing: bytes[Self.fieldsSize...])
    self.sealed = sealed
  }

  /// Protocol.md §7.1: sequence numbers, and the trailing edge, start at 1.
  var isValid: Bool { sequence < .max && oldestPacket > 0 && oldestPacket <= sequence }
}
