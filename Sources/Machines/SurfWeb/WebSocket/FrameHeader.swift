/// A frame before its payload (RFC 6455 §5.2).
struct FrameHeader: Equatable {
  let isFinal: Bool
  let opcode: Opcode
  let length: Int
  let mask: Mask?
}

/// Reads a `FrameHeader` byte by byte, and refuses it at the first wrong byte.
struct FrameHeaderReader {
  /// Whether frames must be masked, as from a client, or must not be (RFC 6455 §5.1).
  let expectsMask: Bool
  private var bytes: [UInt8] = []

  init(expectsMask: Bool) {
    self.expectsMask = expectsMask
    bytes.reserveCapacity(14)
  }

  /// Takes a byte. Returns the header if this was its last byte, and starts on the next one.
  /// - Parameter isInMessage: whether a fragmented message has begun and not ended.
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

/// The kind of a frame (RFC 6455 §11.8).
enum Opcode: UInt8 {
  case continuation = 0x0
  case text = 0x1
  case binary = 0x2
  case close = 0x8
  case ping = 0x9
  case pong = 0xa

  /// Control frames may come between the fragments of a message (RFC 6455 §5.5).
  var isControl: Bool { rawValue & 0x8 != 0 }

  /// The most bytes of a control frame's payload.
  static let controlLimit = 125
}

/// Masks or unmasks a client's payload (RFC 6455 §5.3).
package struct Mask: Equatable {
  /// The key's bytes, the first one lowest, rotated so that the lowest applies to the next byte.
  private var key: UInt32

  /// - Parameter key: the key as it is sent, its first byte highest.
  package init(_ key: UInt32) {
    self.key = key.byteSwapped
  }

  /// Masks or unmasks the bytes from `start` to the end. The next call continues from there.
  package mutating func apply(to bytes: inout [UInt8], from start: Int) {
    let count = bytes.count - start
    guard start >= 0, count > 0, key != 0 else { return }
    let wide = UInt64(key) << 32 | UInt64(key)
    bytes.withUnsafeMutableBytes { buffer in
      var offset = start
      while buffer.count - offset >= 8 {
        let word = buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        buffer.storeBytes(of: word ^ wide.littleEndian, toByteOffset: offset, as: UInt64.self)
        offset += 8
      }
      for (position, index) in (offset..<buffer.count).enumerated() {
        buffer[index] ^= UInt8(truncatingIfNeeded: wide >> (8 * UInt64(position)))
      }
    }
    let turn = UInt32(count % 4 * 8)
    key = turn == 0 ? key : key >> turn | key << (32 - turn)
  }
}
