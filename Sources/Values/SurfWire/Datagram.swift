/// One UDP payload: its session, and its message (Protocol.md §6).
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
    case windowUpdate(WindowUpdate)
    case seek(Seek)
    case offer(Offer)
    case check(Check)
    case proof(Proof)
    case valueRequest(ValueRequest)
    case valueReply(ValueReply)
  }
}

/// Bits that change what a datagram means (Protocol.md §6); unknown ones are ignored.
package struct DatagramFlags: OptionSet, Sendable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }
  /// Sent before: an answer to a NAK.
  package static let repair = DatagramFlags(rawValue: 1)
  /// For a late join: requested by one viewer, answered to one.
  package static let history = DatagramFlags(rawValue: 2)
  /// Of a reset: the name of a file comes before the bytes.
  package static let named = DatagramFlags(rawValue: 4)
}

/// The next packet of a session's stream, or a repeated one (Protocol.md §7.1).
package struct DataPacket: Equatable, Sendable {
  package var sequence: SequenceNumber
  /// The trailing edge at the time of sending.
  package var oldestPacket: SequenceNumber
  package var flags: DatagramFlags
  /// Encoded frames; `Frame.decode` reads them.
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
  /// Renews the only field of an encoded data datagram that changes between the first sending and a
  /// repair.
  ///
  /// - Precondition: `datagram` is one that `Datagram.encoded()` made of a data packet.
  package static func mark(_ datagram: UnsafeMutableRawBufferPointer, with flags: DatagramFlags) {
    datagram.storeBytes(of: flags.rawValue.bigEndian, toByteOffset: 6, as: UInt16.self)
  }

  /// Says how many packets can still be repaired when this one leaves for the first time.
  ///
  /// - Precondition: `datagram` is one that `Datagram.encoded()` made of a data packet.
  package static func stamp(
    _ datagram: UnsafeMutableRawBufferPointer, oldestPacket: SequenceNumber
  ) {
    let sequence = SequenceNumber(
      UInt64(
        bigEndian: datagram.loadUnaligned(fromByteOffset: Limits.headerSize, as: UInt64.self)))
    let retained = oldestPacket.distance(to: sequence).clampedTo32Bits
    datagram.storeBytes(
      of: retained.bigEndian, toByteOffset: Limits.headerSize + 8, as: UInt32.self)
  }

  func encode(into writer: inout ByteWriter) {
    writer.integer(sequence)
    writer.count(oldestPacket.distance(to: sequence), as: UInt32.self)
    writer.append(frames)
  }

  init(from reader: inout ByteReader, flags: DatagramFlags) throws(WireError) {
    let view = try PacketView(from: &reader, flags: flags)
    self.init(
      sequence: view.sequence, oldestPacket: view.oldestPacket, flags: flags,
      frames: [UInt8](view.frames))
  }

  /// The octets of a packet of this session before its frames; `number` and `stamp` fill in the
  /// rest.
  package static func header(session: SessionID) -> [UInt8] {
    let packet = DataPacket(sequence: 0, oldestPacket: 0, frames: [])
    return Datagram(session: session, body: .data(packet)).encoded()
  }

  /// Writes the sequence into a packet's header.
  package static func number(_ datagram: UnsafeMutableRawBufferPointer, as sequence: SequenceNumber)
  {
    datagram.storeBytes(
      of: sequence.rawValue.bigEndian, toByteOffset: Limits.headerSize, as: UInt64.self)
  }
}

/// A data packet whose frames lie in bytes that the caller owns.
package struct PacketView {
  package let sequence: SequenceNumber
  /// The trailing edge at the time of sending.
  package let oldestPacket: SequenceNumber
  package let flags: DatagramFlags
  /// `FrameReader` reads them.
  package let frames: UnsafeRawBufferPointer
  /// The datagram as it came, if it was sealed.
  package let sealed: UnsafeRawBufferPointer?

  /// The frames, and the sealed octets, must outlive the view.
  package init(
    sequence: SequenceNumber, oldestPacket: SequenceNumber, flags: DatagramFlags,
    frames: UnsafeRawBufferPointer, sealed: UnsafeRawBufferPointer? = nil
  ) {
    self.sequence = sequence
    self.oldestPacket = oldestPacket
    self.flags = flags
    self.frames = frames
    self.sealed = sealed
  }

  init(from reader: inout ByteReader, flags: DatagramFlags) throws(WireError) {
    guard reader.count >= Self.fieldsSize else {
      throw .truncated(field: "packet", needed: Self.fieldsSize, available: reader.count)
    }
    self.init(unchecked: reader.rest, flags: flags)
    guard isValid else { throw .invalid(field: "packet sequence") }
  }

  /// Octets before the frames.
  static let fieldsSize = 12

  /// Reads fields that may be invalid.
  ///
  /// - Precondition: there are at least `fieldsSize` octets.
  init(
    unchecked bytes: UnsafeRawBufferPointer, flags: DatagramFlags,
    sealed: UnsafeRawBufferPointer? = nil
  ) {
    sequence = SequenceNumber(UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    let retained = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    // An impossible count makes it 0, which is refused.
    oldestPacket = sequence.goingBack(by: WireCount(retained))
    self.flags = flags
    frames = UnsafeRawBufferPointer(rebasing: bytes[Self.fieldsSize...])
    self.sealed = sealed
  }

  /// Protocol.md §7.1: sequences begin with 1, and so does the trailing edge.
  var isValid: Bool { sequence < .max && oldestPacket > 0 && oldestPacket <= sequence }
}
