extension TextBuffer {
  @inline(__always) private static var quote: UInt8 { 0x22 }
  @inline(__always) private static var backslash: UInt8 { 0x5c }

  /// A string in quotes; true if something in it had to be escaped.
  ///
  /// RFC 8259 §7, in the spelling of `JSONEncoder`.
  @discardableResult @inline(__always)
  mutating func append(quoted text: String, escapesSlashes: Bool) -> Bool {
    var text = text
    return text.withUTF8 { append(quoted: $0, escapesSlashes: escapesSlashes) }
  }

  mutating func append(quoted utf8: UnsafeBufferPointer<UInt8>, escapesSlashes: Bool) -> Bool {
    let slash = escapesSlashes ? UInt8(ascii: "/") : Self.quote
    if let from = utf8.baseAddress, utf8.count <= 16, append(short: from, utf8.count, slash) {
      return false
    }
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

  /// A text of at most 16 octets, in a few words; false if something in it must be escaped.
  @inline(__always) private mutating func append(
    short from: UnsafePointer<UInt8>, _ length: Int, _ slash: UInt8
  ) -> Bool {
    reserve(18)
    let raw = UnsafeRawPointer(from)
    let room = UnsafeMutableRawPointer(start + count)
    if length >= 8 {
      let first = raw.loadUnaligned(as: UInt64.self)
      let last = raw.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self)
      guard Self.marks(in: first, slash) | Self.marks(in: last, slash) == 0 else { return false }
      room.storeBytes(of: first, toByteOffset: 1, as: UInt64.self)
      room.storeBytes(of: last, toByteOffset: length &- 7, as: UInt64.self)
    } else if length >= 4 {
      let first = raw.loadUnaligned(as: UInt32.self)
      let last = raw.loadUnaligned(fromByteOffset: length &- 4, as: UInt32.self)
      guard Self.marks(in: UInt64(first) << 32 | UInt64(last), slash) == 0 else { return false }
      room.storeBytes(of: first, toByteOffset: 1, as: UInt32.self)
      room.storeBytes(of: last, toByteOffset: length &- 3, as: UInt32.self)
    } else {
      guard Self.isPlain(from, length, slash) else { return false }
      for index in 0..<length {
        room.storeBytes(of: from[index], toByteOffset: index &+ 1, as: UInt8.self)
      }
    }
    room.storeBytes(of: Self.quote, as: UInt8.self)
    room.storeBytes(of: Self.quote, toByteOffset: length &+ 1, as: UInt8.self)
    _ = extend(by: length &+ 2)
    return true
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

  /// How many octets come before the first that must be escaped, by eight at a time.
  @inline(__always) private static func plainCount(
    _ from: UnsafePointer<UInt8>, _ count: Int, _ slash: UInt8
  ) -> Int {
    var index = 0
    while count &- index >= 8 {
      let word = UInt64(
        littleEndian: UnsafeRawPointer(from + index).loadUnaligned(as: UInt64.self))
      let marks = marks(in: word, slash)
      if marks != 0 { return index &+ marks.trailingZeroBitCount >> 3 }
      index &+= 8
    }
    if isPlain(from + index, count &- index, slash) { return count }
    while index < count {
      let byte = from[index]
      if byte < 0x20 || byte == Self.quote || byte == Self.backslash || byte == slash { break }
      index &+= 1
    }
    return index
  }

  /// Whether fewer than eight octets are plain, which most short texts are.
  @inline(__always) private static func isPlain(
    _ from: UnsafePointer<UInt8>, _ count: Int, _ slash: UInt8
  ) -> Bool {
    guard count > 0 else { return true }
    let raw = UnsafeRawPointer(from)
    let word: UInt64
    if count >= 4 {
      word =
        UInt64(raw.loadUnaligned(as: UInt32.self)) << 32
        | UInt64(raw.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
    } else {
      // The first, the middle and the last are all of three, two or one.
      word =
        UInt64(from[0]) << 16 | UInt64(from[count >> 1]) << 8 | UInt64(from[count &- 1])
        | 0x6161_6161_6100_0000
    }
    return marks(in: word, slash) == 0
  }

  /// The highest bit of the first octet that must be escaped; later ones may be marked wrongly.
  @inline(__always) private static func marks(in word: UInt64, _ slash: UInt8) -> UInt64 {
    marks(of: quote, word) | marks(of: backslash, word) | marks(of: slash, word)
      | ((word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080)
  }

  /// The highest bit of the first octet that is `byte`; octets behind it may be marked wrongly.
  @inline(__always) private static func marks(of byte: UInt8, _ word: UInt64) -> UInt64 {
    let difference = word ^ (UInt64(byte) &* 0x0101_0101_0101_0101)
    return (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
  }
}
