/// Writes big-endian fields one behind the other, in as much room as they need.
struct ByteWriter: Sendable {
  /// The written octets, and room behind them: storing into an existing array takes far less than
  /// appending to it.
  private var storage: [UInt8]
  private(set) var count = 0

  /// - Parameter capacity: octets that will most likely be enough.
  init(capacity: Int) { storage = Array(repeating: 0, count: capacity) }

  /// Octets that it can hold without growing.
  var room: Int { storage.count }

  /// Forgets what was written, and keeps the room for it.
  mutating func restart() { count = 0 }

  /// Shows what was written.
  func withOctets<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    storage.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  /// All that was written.
  consuming func finish() -> [UInt8] {
    storage.removeLast(storage.count - count)
    return storage
  }

  mutating func integer<I: FixedWidthInteger>(_ value: I) {
    write(MemoryLayout<I>.size) { $0.storeBytes(of: value.bigEndian, as: I.self) }
  }

  /// A number of as few octets as it needs: Protocol.md §1.
  mutating func number(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      integer(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    integer(UInt8(truncatingIfNeeded: rest))
  }

  mutating func integer(_ sequence: SequenceNumber) { integer(sequence.rawValue) }

  /// A count in as many octets as `Size` has; a greater count becomes its largest.
  mutating func count<Size: FixedWidthInteger>(_ count: WireCount, as: Size.Type) {
    integer(Size(clamping: count.rawValue))
  }

  mutating func append(_ more: some Collection<UInt8>) {
    write(more.count) { $0.copyBytes(from: more) }
  }

  /// Text with its length in front. Text longer than `limit` is cut on a character boundary: a long
  /// name is no reason to lose a record.
  mutating func text<Length: FixedWidthInteger>(
    _ text: String, length: Length.Type, max limit: Int
  ) {
    let clipped = text.clipped(toUTF8: limit)
    integer(Length(clipped.utf8.count))
    append(text: clipped)
  }

  /// The same, with a number as its length.
  mutating func text(_ text: String, max limit: Int) {
    let clipped = text.clipped(toUTF8: limit)
    number(UInt64(clipped.utf8.count))
    append(text: clipped)
  }

  mutating func append(text: consuming String) {
    text.withUTF8 { octets in
      write(octets.count) { $0.copyBytes(from: octets) }
    }
  }

  mutating func pad(to size: Int) {
    if count < size { append(repeatElement(0, count: size - count)) }
  }

  @inline(__always)
  private mutating func write(_ size: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void) {
    if storage.count - count < size {
      storage.append(contentsOf: repeatElement(0, count: max(size, storage.count)))
    }
    storage.withUnsafeMutableBytes { bytes in
      body(UnsafeMutableRawBufferPointer(rebasing: bytes[count..<count + size]))
    }
    count += size
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
