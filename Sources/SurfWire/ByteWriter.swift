/// Appends big-endian fields to a growing array.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  mutating func integer<I: FixedWidthInteger>(_ value: I) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  /// Text with its length in front. What is longer than `limit` is cut on a character boundary:
  /// a long name is no reason to lose a record.
  mutating func text<Length: FixedWidthInteger>(
    _ text: String, length: Length.Type, max limit: Int
  ) {
    let clipped = text.clipped(toUTF8: limit)
    integer(Length(clipped.utf8.count))
    append(clipped.utf8)
  }

  mutating func pad(to size: Int) {
    if bytes.count < size { append(repeatElement(0, count: size - bytes.count)) }
  }
}

extension String {
  /// The longest prefix of whole characters that takes at most `limit` UTF-8 bytes.
  package func clipped(toUTF8 limit: Int) -> String {
    if utf8.count <= limit { return self }
    var size = 0
    let end = indices.first { index in
      size += self[index].utf8.count
      return size > limit
    }
    return String(self[..<(end ?? endIndex)])
  }
}
