import SurfBasics

/// Writes big-endian fields one after the other; grows as needed. All encoders but `Delta`'s use
/// it.
struct ByteWriter: Sendable {
  /// The written octets, then spare ones: storing into an existing array is far faster than
  /// appending.
  private var storage: [UInt8]
  private(set) var count = 0

  /// - Parameter capacity: octets that are most likely enough.
  init(capacity: Int) { storage = Array(repeating: 0, count: capacity) }

  var capacity: Int { storage.count }

  /// Discards what was written, and keeps the memory.
  mutating func restart() { count = 0 }

  func withOctets<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    storage.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  consuming func finish() -> [UInt8] {
    storage.removeLast(storage.count - count)
    return storage
  }

  mutating func integer<I: FixedWidthInteger>(_ value: I) {
    write(MemoryLayout<I>.size) { $0.storeBytes(of: value.bigEndian, as: I.self) }
  }

  /// A variable-length number (Protocol.md §1).
  mutating func number(_ value: UInt64) {
    if value < 0x80 { return integer(UInt8(value)) }
    let size = (70 - value.leadingZeroBitCount) / 7
    write(size) { bytes in
      var rest = value
      for index in 0..<size {
        bytes[index] = UInt8(truncatingIfNeeded: rest) | 0x80
        rest >>= 7
      }
      bytes[size - 1] &= 0x7F
    }
  }

  mutating func integer(_ sequence: SequenceNumber) { integer(sequence.rawValue) }

  /// A count in the width of `Size`. A count that does not fit becomes the largest that does.
  mutating func count<Size: FixedWidthInteger>(_ count: WireCount, as: Size.Type) {
    integer(Size(clamping: count.rawValue))
  }

  mutating func append(_ more: some Collection<UInt8>) {
    write(more.count) { $0.copyBytes(from: more) }
  }

  /// Text preceded by its length. Text longer than `limit` is cut between characters, because a
  /// record should not be lost over a long name.
  mutating func text<Length: FixedWidthInteger>(
    _ text: String, length: Length.Type, max limit: Int
  ) {
    let clipped = text.clipped(toUTF8: limit)
    integer(Length(clipped.utf8.count))
    append(text: clipped)
  }

  /// The same, with a variable-length number as its length.
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
