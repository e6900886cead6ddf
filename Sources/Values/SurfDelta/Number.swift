// Numbers of as few octets as they need: Protocol.md §1.

/// Reads numbers off octets.
struct NumberReader {
  private let bytes: [UInt8]
  /// Where the next one begins.
  var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next(_ field: String) throws(DeltaError) -> UInt64 {
    let start = offset
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      guard offset < bytes.count else {
        throw .truncated(field: field, needed: offset - start + 1, available: offset - start)
      }
      let octet = bytes[offset]
      // Nine octets have 63 bits: the tenth has the last one.
      guard shift < 63 || octet <= 1 else { throw .numberTooLong(at: start) }
      offset += 1
      number |= UInt64(octet & 0x7F) << shift
      if octet < 0x80 { return number }
      shift += 7
    }
  }
}

extension [UInt8] {
  mutating func append(number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }
}
