extension TextBuffer {
  @inline(__always) private static var quote: UInt8 { 0x22 }
  @inline(__always) private static var backslash: UInt8 { 0x5c }

  /// Appends a JSON string (RFC 8259 §7), spelled as `JSONEncoder` does. Returns true if anything
  /// in it had to be escaped.
  @discardableResult @inline(__always)
  mutating func append(quoted text: String, escapesSlashes: Bool) -> Bool {
    let plain = text.utf8.withContiguousStorageIfAvailable {
      append(quoted: $0, escapesSlashes: escapesSlashes)
    }
    if let plain { return plain }
    var text = text
    return text.withUTF8 { append(quoted: $0, escapesSlashes: escapesSlashes) }
  }

  mutating func append(quoted utf8: UnsafeBufferPointer<UInt8>, escapesSlashes: Bool) -> Bool {
    let slash = escapesSlashes ? UInt8(ascii: "/") : Self.quote
    if let from = utf8.baseAddress, append(plain: from, utf8.count, slash) { return false }
    reserve(utf8.count &+ 2)
    append(Self.quote)
    var index = 0
    var hasEscapes = false
    if let from = utf8.baseAddress {
      while true {
        let plain = Self.plainCount(from + index, utf8.count &- index, slash)
        append(from + index, plain)
        index &+= plain
        guard index < utf8.count else { break }
        hasEscapes = true
        append(escaped: from[index])
        index &+= 1
      }
    }
    append(Self.quote)
    return hasEscapes
  }

  /// Appends a text word by word if nothing in it must be escaped; otherwise returns false.
  @inline(__always) private mutating func append(
    plain from: UnsafePointer<UInt8>, _ length: Int, _ slash: UInt8
  ) -> Bool {
    // A short text is stored as a whole word, including the octets after it.
    reserve(length &+ 10)
    let target = UnsafeMutableRawPointer(start + count)
    if length <= 8 {
      let word = Self.word(of: from, length)
      guard Self.marks(in: word, slash) & Self.octets(length) == 0 else { return false }
      target.storeBytes(of: word.littleEndian, toByteOffset: 1, as: UInt64.self)
    } else {
      let raw = UnsafeRawPointer(from)
      var index = 0
      while index < length {
        // The last word overlaps the one before.
        let place = min(index, length &- 8)
        let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        guard Self.marks(in: word, slash) == 0 else { return false }
        target.storeBytes(of: word, toByteOffset: place &+ 1, as: UInt64.self)
        index &+= 8
      }
    }
    target.storeBytes(of: Self.quote, as: UInt8.self)
    target.storeBytes(of: Self.quote, toByteOffset: length &+ 1, as: UInt8.self)
    advance(by: length &+ 2)
    return true
  }

  /// The first eight octets, the first one least significant. A shorter text is padded with zeros.
  @inline(__always) static func word(of from: UnsafePointer<UInt8>, _ length: Int) -> UInt64 {
    let raw = UnsafeRawPointer(from)
    if length >= 8 { return UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self)) }
    // Octets that are loaded twice end up in the same place.
    if length >= 4 {
      let first = UInt32(littleEndian: raw.loadUnaligned(as: UInt32.self))
      let last = UInt32(
        littleEndian: raw.loadUnaligned(fromByteOffset: length &- 4, as: UInt32.self))
      return UInt64(first) | UInt64(last) << UInt64(8 &* (length &- 4))
    }
    guard length > 0 else { return 0 }
    let middle = length >> 1
    return UInt64(from[0]) | UInt64(from[middle]) << UInt64(8 &* middle)
      | UInt64(from[length &- 1]) << UInt64(8 &* (length &- 1))
  }

  /// A mask of the `count` lowest octets of a word, at most eight.
  @inline(__always) private static func octets(_ count: Int) -> UInt64 {
    count >= 8 ? .max : (1 &<< UInt64(8 &* count)) &- 1
  }

  private mutating func append(escaped byte: UInt8) {
    append(Self.backslash)
    switch byte {
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0a: append(UInt8(ascii: "n"))
    case 0x0c: append(UInt8(ascii: "f"))
    case 0x0d: append(UInt8(ascii: "r"))
    case 0..<0x20:
      append("u00")
      append(UInt8(ascii: "0") + byte >> 4)
      let low = byte & 15
      append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
    default: append(byte)
    }
  }

  /// How many octets precede the first one that must be escaped, by eight at a time.
  @inline(__always) private static func plainCount(
    _ from: UnsafePointer<UInt8>, _ count: Int, _ slash: UInt8
  ) -> Int {
    var index = 0
    while count &- index >= 8 {
      let marks = marks(in: word(of: from + index, 8), slash)
      if marks != 0 { return index &+ marks.trailingZeroBitCount >> 3 }
      index &+= 8
    }
    let rest = count &- index
    let marks = marks(in: word(of: from + index, rest), slash) & octets(rest)
    return marks == 0 ? count : index &+ marks.trailingZeroBitCount >> 3
  }

  /// Marks the highest bit of the first octet that must be escaped. Later octets may be marked
  /// wrongly.
  @inline(__always) private static func marks(in word: UInt64, _ slash: UInt8) -> UInt64 {
    marks(of: quote, word) | marks(of: backslash, word) | marks(of: slash, word)
      | ((word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080)
  }

  /// Marks the highest bit of the first octet that is `byte`. Later octets may be marked wrongly.
  @inline(__always) private static func marks(of byte: UInt8, _ word: UInt64) -> UInt64 {
    let difference = word ^ (UInt64(byte) &* 0x0101_0101_0101_0101)
    return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
  }
}
