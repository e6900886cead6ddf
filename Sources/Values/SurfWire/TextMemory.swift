/// Caches recently read texts, for records that repeat them: source locations, and the types of
/// states. Finding a text costs less than making it. `Window` and `OwnRecords` keep one.
package struct TextMemory: Sendable {
  /// Swift stores shorter texts without heap memory.
  private static let sizeMin = 16
  /// Longer texts hardly ever repeat.
  private static let sizeMax = 255
  private static let placeCount = 16

  private var texts: [String] = Array(repeating: "", count: placeCount)

  package init() {}

  /// The bytes as text; nil if they are not UTF-8.
  mutating func text(of bytes: UnsafeRawBufferPointer) -> String? {
    guard bytes.count >= Self.sizeMin, bytes.count <= Self.sizeMax else {
      return String(checking: bytes)
    }
    let place = Self.place(of: bytes)
    if texts[place].isMade(of: bytes) { return texts[place] }
    guard let text = String(checking: bytes) else { return nil }
    texts[place] = text
    return text
  }

  /// Different lines of one file end in different digits, and files have names of different
  /// lengths.
  private static func place(of bytes: UnsafeRawBufferPointer) -> Int {
    (bytes.count &+ Int(bytes.last ?? 0)) % placeCount
  }
}

extension String {
  /// The bytes as text; nil if they are not UTF-8.
  init?(checking bytes: UnsafeRawBufferPointer) {
    if bytes.isASCII {
      // Far faster than `String(validating:as:)`, which looks up types as it goes.
      self = String(decoding: bytes, as: UTF8.self)
    } else {
      self.init(validating: bytes, as: UTF8.self)
    }
  }

  fileprivate func isMade(of bytes: UnsafeRawBufferPointer) -> Bool {
    guard utf8.count == bytes.count else { return false }
    return utf8.withContiguousStorageIfAvailable { bytes.isEqual(to: UnsafeRawBufferPointer($0)) }
      ?? false
  }
}

// Eight octets at a time, because every record has such texts.
extension UnsafeRawBufferPointer {
  fileprivate func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard count >= 8 else { return elementsEqual(other) }
    var offset = 0
    while offset < count - 8 {
      guard word(at: offset) == other.word(at: offset) else { return false }
      offset += 8
    }
    // The last word overlaps one that was already compared.
    return word(at: count - 8) == other.word(at: count - 8)
  }

  private func word(at offset: Int) -> UInt64 {
    loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  fileprivate var isASCII: Bool {
    guard count >= 8 else { return allSatisfy { $0 < 0x80 } }
    var offset = 0
    while offset < count - 8 {
      if word(at: offset) & 0x8080_8080_8080_8080 != 0 { return false }
      offset += 8
    }
    return word(at: count - 8) & 0x8080_8080_8080_8080 == 0
  }
}
