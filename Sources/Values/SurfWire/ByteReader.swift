/// Reads big-endian fields off the front of bytes that the caller owns.
///
/// Every read is checked against what is left; nothing here traps on any input. The bytes must
/// outlive the reader: make one inside `withUnsafeBytes` and do not let it escape.
struct ByteReader {
  /// The unread bytes.
  private(set) var rest: UnsafeRawBufferPointer
  /// Texts that were read before, if the caller keeps them.
  private let texts: UnsafeMutablePointer<TextMemory>?

  /// `texts`, too, must outlive the reader.
  init(_ bytes: UnsafeRawBufferPointer, texts: UnsafeMutablePointer<TextMemory>? = nil) {
    rest = bytes
    self.texts = texts
  }

  var count: Int { rest.count }
  var isEmpty: Bool { rest.isEmpty }

  // Inlined, like `take`: there are a dozen to a packet, and thousands of packets a second.
  @inline(__always)
  mutating func integer<I: FixedWidthInteger>(_ field: String, as: I.Type = I.self)
    throws(WireError) -> I
  {
    let bytes = try take(MemoryLayout<I>.size, field)
    return I(bigEndian: bytes.loadUnaligned(as: I.self))
  }

  /// A number of as few octets as it needs: Protocol.md §1.
  @inline(__always)
  mutating func number(_ field: String) throws(WireError) -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let octet = try integer(field, as: UInt8.self)
      // Nine octets have 63 bits: the tenth has the last one.
      guard shift < 63 || octet <= 1 else { throw .invalid(field: field) }
      number |= UInt64(octet & 0x7F) << shift
      if octet < 0x80 { return number }
      shift += 7
    }
  }

  /// A sequence of eight octets.
  @inline(__always)
  mutating func sequence(_ field: String) throws(WireError) -> SequenceNumber {
    SequenceNumber(try integer(field))
  }

  /// A count of as many octets as `Size` has.
  @inline(__always)
  mutating func count<Size: FixedWidthInteger>(_ field: String, as: Size.Type)
    throws(WireError) -> WireCount
  {
    WireCount(UInt64(clamping: try integer(field, as: Size.self)))
  }

  /// A number that says how many octets something has.
  @inline(__always)
  mutating func size(_ field: String, max limit: Int) throws(WireError) -> Int {
    let size = try number(field)
    guard size <= limit else {
      throw .beyondLimit(field: field, value: Int(clamping: size), limit: limit)
    }
    return Int(size)
  }

  mutating func bytes(_ count: Int, _ field: String) throws(WireError) -> [UInt8] {
    [UInt8](try take(count, field))
  }

  mutating func remainder() -> [UInt8] {
    defer { rest = UnsafeRawBufferPointer(rebasing: rest[rest.endIndex...]) }
    return [UInt8](rest)
  }

  /// A reader of the next `count` bytes alone, which are consumed here.
  mutating func nested(_ count: Int, _ field: String) throws(WireError) -> ByteReader {
    ByteReader(try take(count, field))
  }

  mutating func skip(_ count: Int, _ field: String) throws(WireError) {
    _ = try take(count, field)
  }

  /// Text with its length in front, in an integer of type `Length`.
  mutating func text<Length: FixedWidthInteger>(
    _ field: String, length: Length.Type, max limit: Int
  ) throws(WireError) -> String {
    let size = Int(try integer(field, as: Length.self))
    guard size <= limit else { throw .beyondLimit(field: field, value: size, limit: limit) }
    return try text(field, size: size)
  }

  mutating func text(_ field: String, size: Int) throws(WireError) -> String {
    let bytes = try take(size, field)
    let text = texts.map { $0.pointee.text(of: bytes) } ?? String(checking: bytes)
    guard let text else {
      throw .malformedText(field: field)
    }
    return text
  }

  @inline(__always)
  private mutating func take(_ count: Int, _ field: String)
    throws(WireError) -> UnsafeRawBufferPointer
  {
    guard count <= rest.count else {
      throw .truncated(field: field, needed: count, available: rest.count)
    }
    defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
    return UnsafeRawBufferPointer(rebasing: rest[..<count])
  }
}

extension WireCount {
  /// Throws if the count is beyond the limit.
  func check(_ field: String, limit: WireCount) throws(WireError) {
    guard self <= limit else {
      throw .beyondLimit(
        field: field, value: clamped(to: .max), limit: limit.clamped(to: .max))
    }
  }
}

/// Why bytes are not a datagram, a frame or a record of this protocol (Protocol.md §15).
///
/// Bytes from the network never do more than this: the reader drops them and counts the reason.
package enum WireError: Error, Equatable, Sendable {
  /// Fewer bytes than a field, or a length before it, promises.
  case truncated(field: String, needed: Int, available: Int)
  /// The first two octets are not ours.
  case foreign
  /// A version that we do not speak; `doctor` shows it.
  case unsupportedVersion(UInt8)
  /// A datagram type that version 1 does not have.
  case unknownType(UInt8)
  /// Sealed under a key that is not here.
  case unknownKey(id: UInt8)
  /// A count or size beyond its limit.
  case beyondLimit(field: String, value: Int, limit: Int)
  /// A value that its field cannot have.
  case invalid(field: String)
  /// Text that is not UTF-8.
  case malformedText(field: String)

  /// The row of Protocol.md §15 under which a drop is counted.
  package var reason: String {
    switch self {
    case .truncated: "truncated"
    case .foreign: "foreign"
    case .unsupportedVersion: "unsupported version"
    case .unknownType: "unknown type"
    case .unknownKey: "unknown key"
    case .beyondLimit: "beyond limit"
    case .invalid: "invalid"
    case .malformedText: "malformed text"
    }
  }
}
