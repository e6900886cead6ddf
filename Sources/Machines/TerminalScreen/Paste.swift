/// What came since a paste began.
struct Paste: Equatable, Sendable {
  private static let terminator = Array("\u{1B}[201~".utf8)

  private var bytes: [UInt8] = []
  private var hasMore = false
  /// How much of the terminator came last.
  private var matched = 0

  /// True if the octet ends it.
  mutating func add(_ byte: UInt8) -> Bool {
    if byte == Self.terminator[matched] {
      matched += 1
      return matched == Self.terminator.count
    }
    for byte in Self.terminator[..<matched] { append(byte) }
    // Only its first octet is an escape.
    matched = byte == Self.terminator[0] ? 1 : 0
    if matched == 0 { append(byte) }
    return false
  }

  func event(isWhole: Bool) -> InputEvent {
    .paste(String(decoding: bytes, as: UTF8.self), isCut: hasMore || !isWhole)
  }

  private mutating func append(_ byte: UInt8) {
    if bytes.count < InputParser.pasteSizeMax { bytes.append(byte) } else { hasMore = true }
  }
}
