/// Assembles a message from its fragments, for `WebSocketConnection` (RFC 6455 §5.4).
struct MessageAssembler {
  private let limit: Int
  private var kind: Opcode?
  private var bytes: [UInt8] = []
  private var validator = UTF8Validator()

  init(limit: Int) {
    self.limit = limit
  }

  /// The memory of the incomplete message, in octets.
  var memorySize: Int { bytes.capacity }

  /// Whether a fragmented message has begun and not ended.
  var isInMessage: Bool { kind != nil }

  /// Begins or continues a message.
  /// - Throws: `tooBig` if the fragment's header announces too much.
  mutating func begin(_ header: FrameHeader) throws(ConnectionFailure) {
    if kind == nil { kind = header.opcode }
    guard header.length <= limit - bytes.count else { throw .tooBig }
  }

  /// - Throws: `badText` at the first byte that is invalid there.
  mutating func append(_ chunk: ArraySlice<UInt8>, unmasking mask: inout Mask?)
    throws(ConnectionFailure)
  {
    let start = bytes.count
    bytes += chunk
    mask?.apply(to: &bytes, from: start)
    guard kind == .text else { return }
    guard validator.accept(bytes[start...]) else { throw .badText }
  }

  /// - Throws: `badText` if the text ends in the middle of a character.
  mutating func finish() throws(ConnectionFailure) -> WebSocketConnection.Event {
    defer { self = MessageAssembler(limit: limit) }
    guard kind == .text else { return .binary(bytes) }
    guard validator.isComplete else { throw .badText }
    return .text(String(decoding: bytes, as: UTF8.self))
  }
}

/// Validates UTF-8 in pieces, and stops at the first invalid byte (RFC 3629 §4).
package struct UTF8Validator {
  private var missing = 0
  /// The range of the next byte, if one is missing. It is narrower after some first bytes, to
  /// exclude overlong forms, surrogates and scalars beyond U+10FFFF.
  private var allowed: ClosedRange<UInt8> = 0x80...0xbf

  /// Whether the text may end here.
  package var isComplete: Bool { missing == 0 }

  package init() {}

  /// Returns false if no text starts with the bytes so far. Do not use the validator after that.
  package mutating func accept(_ bytes: ArraySlice<UInt8>) -> Bool {
    for byte in bytes {
      if missing == 0 && byte < 0x80 { continue }
      guard accept(byte) else { return false }
    }
    return true
  }

  private mutating func accept(_ byte: UInt8) -> Bool {
    guard missing == 0 else {
      guard allowed.contains(byte) else { return false }
      missing -= 1
      allowed = 0x80...0xbf
      return true
    }
    switch byte {
    case 0xc2...0xdf: missing = 1
    case 0xe0...0xef: missing = 2
    case 0xf0...0xf4: missing = 3
    default: return false
    }
    allowed = Self.secondByte(after: byte)
    return true
  }

  private static func secondByte(after first: UInt8) -> ClosedRange<UInt8> {
    switch first {
    case 0xe0: 0xa0...0xbf
    case 0xed: 0x80...0x9f
    case 0xf0: 0x90...0xbf
    case 0xf4: 0x80...0x8f
    default: 0x80...0xbf
    }
  }
}
