/// The octets before a payload (RFC 6455 §5.2).
struct FrameHeader: Equatable {
  let isFinal: Bool
  let opcode: Opcode
  let length: Int
  let mask: Mask?
}

/// Reads a header byte by byte and refuses it at the first byte that is wrong.
struct FrameHeaderReader {
  /// Whether frames must be masked, as a client's are, or must not be (RFC 6455 §5.1).
  let expectsMask: Bool
  private var bytes: [UInt8] = []

  init(expectsMask: Bool) {
    self.expectsMask = expectsMask
    bytes.reserveCapacity(14)
  }

  /// The header, if this is its last byte; then the reader is at the start of the next one.
  /// - Parameter isInMessage: Whether a message's first fragment came and its last did not.
  mutating func accept(_ byte: UInt8, isInMessage: Bool) throws(ConnectionFailure) -> FrameHeader? {
    bytes.append(byte)
    if bytes.count == 1 { return try checkFirstByte(isInMessage: isInMessage) }
    if bytes.count == 2 { try checkSecondByte() }
    guard bytes.count == 2 + extendedLengthSize + (expectsMask ? 4 : 0) else { return nil }
    defer { bytes.removeAll(keepingCapacity: true) }
    return try header()
  }

  private var isFinal: Bool { bytes[0] & 0x80 != 0 }

  private var extendedLengthSize: Int {
    switch bytes[1] & 0x7f {
    case 126: 2
    case 127: 8
    default: 0
    }
  }

  private func checkFirstByte(isInMessage: Bool) throws(ConnectionFailure) -> FrameHeader? {
    guard bytes[0] & 0x70 == 0 else { throw .protocolError("A reserved bit is set.") }
    guard let opcode = Opcode(rawValue: bytes[0] & 0x0f) else {
      throw .protocolError("The opcode is reserved.")
    }
    switch opcode {
    case .continuation where !isInMessage:
      throw .protocolError("There is no message to continue.")
    case .text where isInMessage, .binary where isInMessage:
      throw .protocolError("The last message is not complete.")
    case .close where !isFinal, .ping where !isFinal, .pong where !isFinal:
      throw .protocolError("A control frame is fragmented.")
    default: return nil
    }
  }

  private func checkSecondByte() throws(ConnectionFailure) {
    guard (bytes[1] & 0x80 != 0) == expectsMask else {
      throw .protocolError(expectsMask ? "A frame is not masked." : "A frame is masked.")
    }
    let isControl = bytes[0] & 0x08 != 0
    guard !isControl || bytes[1] & 0x7f <= Opcode.controlLimit else {
      throw .protocolError("A control frame is too long.")
    }
  }

  private func header() throws(ConnectionFailure) -> FrameHeader {
    let keyStart = 2 + extendedLengthSize
    guard let opcode = Opcode(rawValue: bytes[0] & 0x0f) else {
      throw .protocolError("The opcode is reserved.")
    }
    let key = bytes[keyStart...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return FrameHeader(
      isFinal: isFinal, opcode: opcode, length: try length(),
      mask: expectsMask ? Mask(key) : nil)
  }

  private func length() throws(ConnectionFailure) -> Int {
    guard extendedLengthSize > 0 else { return Int(bytes[1] & 0x7f) }
    let number = bytes[2..<(2 + extendedLengthSize)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let length = Int(exactly: number) else {
      throw .protocolError("The length has more than 63 bits.")
    }
    guard length > (extendedLengthSize == 2 ? 125 : 0xffff) else {
      throw .protocolError("The length is not in its shortest form.")
    }
    return length
  }
}
