/// The texts that were read last, for records that repeat them: the places in an app's source, and
/// the types of its states. Finding one costs less than making it.
package struct TextMemory: Sendable {
  /// Text this short is made without memory from the heap.
  private static let sizeMin = 16
  /// Longer texts hardly come twice.
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

  /// Lines of one file end in different digits, and their names are of different sizes.
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

// Eight octets at a time: every record has such texts.
extension UnsafeRawBufferPointer {
  fileprivate func isEqual(to other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard count >= 8 else { return elementsEqual(other) }
    var offset = 0
    while offset < count - 8 {
      guard word(at: offset) == other.word(at: offset) else { return false }
      offset += 8
    }
    // The last word, a part of which was compared already.
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
