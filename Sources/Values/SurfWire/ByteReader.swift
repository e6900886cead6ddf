/// Reads big-endian fields off the front of bytes that the caller owns. All decoders but `Delta`'s
/// use it.
///
/// Every read is checked against what is left, so no input traps. The bytes must outlive the
/// reader: make one inside `withUnsafeBytes` and do not let it escape.
struct ByteReader {
  /// The unread bytes.
  private(set) var rest: UnsafeRawBufferPointer
  /// Reuses recently read texts, if the caller keeps them.
  private let texts: UnsafeMutablePointer<TextMemory>?

  /// `texts`, too, must outlive the reader.
  init(_ bytes: UnsafeRawBufferPointer, texts: UnsafeMutablePointer<TextMemory>? = nil) {
    rest = bytes
    self.texts = texts
  }

  var count: Int { rest.count }
  var isEmpty: Bool { rest.isEmpty }

  // Inlined, like `take`: a packet needs a dozen of these, and thousands of packets arrive a
  // second.
  @inline(__always)
  mutating func integer<I: FixedWidthInteger>(_ field: String, as: I.Type = I.self)
    throws(WireError) -> I
  {
    let bytes = try take(MemoryLayout<I>.size, field)
    return I(bigEndian: bytes.loadUnaligned(as: I.self))
  }

  /// A variable-length number (Protocol.md §1).
  @inline(__always)
  mutating func number(_ field: String) throws(WireError) -> UInt64 {
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let octet = try integer(field, as: UInt8.self)
      // Nine octets hold 63 bits; the tenth holds the last one.
      guard shift < 63 || octet <= 1 else { throw .invalid(field: field) }
      number |= UInt64(octet & 0x7F) << shift
      if octet < 0x80 { return number }
      shift += 7
    }
  }

  /// A sequence number of eight octets.
  @inline(__always)
  mutating func sequence(_ field: String) throws(WireError) -> SequenceNumber {
    SequenceNumber(try integer(field))
  }

  /// A count in the width of `Size`.
  @inline(__always)
  mutating func count<Size: FixedWidthInteger>(_ field: String, as: Size.Type)
    throws(WireError) -> WireCount
  {
    WireCount(UInt64(clamping: try integer(field, as: Size.self)))
  }

  /// The same, if it is at most `limit`.
  mutating func count<Size: FixedWidthInteger>(_ field: String, as size: Size.Type, max limit: Int)
    throws(WireError) -> Int
  {
    let count = try count(field, as: size)
    try count.check(field, limit: WireCount(limit))
    return count.clamped(to: limit)
  }

  /// A variable-length number that states a size in octets.
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

  /// Consumes the next `count` bytes and returns a reader of them alone.
  mutating func nested(_ count: Int, _ field: String) throws(WireError) -> ByteReader {
    ByteReader(try take(count, field))
  }

  mutating func skip(_ count: Int, _ field: String) throws(WireError) {
    _ = try take(count, field)
  }

  /// Text preceded by its length, an integer of type `Length`.
  mutating func text<Length: FixedWidthInteger>(
    _ field: String, length: Length.Type, max limit: Int
  ) throws(WireError) -> String {
    try text(field, size: try count(field, as: length, max: limit))
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
    try require(count, field)
    defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
    return UnsafeRawBufferPointer(rebasing: rest[..<count])
  }

  /// Checks that at least `count` bytes are left.
  @inline(__always)
  func require(_ count: Int, _ field: String) throws(WireError) {
    guard count <= rest.count else {
      throw .truncated(field: field, needed: count, available: rest.count)
    }
  }
}

extension WireCount {
  func check(_ field: String, limit: WireCount) throws(WireError) {
    guard self <= limit else {
      throw .beyondLimit(
        field: field, value: clamped(to: .max), limit: limit.clamped(to: .max))
    }
  }
}

/// Why bytes are not a datagram, a frame or a record of this protocol (Protocol.md §15).
///
/// Bad bytes from the network have no other effect: the reader drops them and counts the reason.
package enum WireError: Error, Equatable, Sendable {
  /// Fewer bytes than a field needs, or than a length before it promises.
  case truncated(field: String, needed: Int, available: Int)
  /// The first two octets are not "SS".
  case foreign
  /// A version other than ours; `doctor` shows it.
  case unsupportedVersion(UInt8)
  /// A datagram type that version 1 does not have.
  case unknownType(UInt8)
  /// Sealed, with the id of a key that this end does not have.
  case unknownKey(id: UInt8)
  /// A count or size beyond its limit.
  case beyondLimit(field: String, value: Int, limit: Int)
  /// A value that its field must not have.
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
