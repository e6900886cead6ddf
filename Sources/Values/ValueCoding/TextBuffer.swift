/// The text that `ValueWriter` writes: growing memory that the next text reuses.
struct TextBuffer: ~Copyable {
  private(set) var start: UnsafeMutablePointer<UInt8>
  private(set) var count = 0
  private(set) var capacity: Int

  init(capacity: Int = 1 << 10) {
    start = .allocate(capacity: capacity)
    self.capacity = capacity
  }

  deinit { start.deallocate() }

  var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }

  /// Reserves memory for this many more octets.
  @inline(__always) mutating func reserve(_ length: Int) {
    if capacity &- count < length { grow(length) }
  }

  @inline(never) private mutating func grow(_ length: Int) {
    capacity = max(capacity * 2, count + length)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: start, count: count)
    start.deallocate()
    start = larger
  }

  /// Adds `length` octets at the end, which the caller must fill.
  @inline(__always) mutating func extend(by length: Int) -> UnsafeMutablePointer<UInt8> {
    reserve(length)
    defer { count &+= length }
    return start + count
  }

  /// Includes octets that the caller stored after the end, in reserved memory.
  @inline(__always) mutating func advance(by length: Int) { count &+= length }

  @inline(__always) mutating func append(_ byte: UInt8) {
    reserve(1)
    start[count] = byte
    count &+= 1
  }

  mutating func append(_ from: UnsafePointer<UInt8>, _ length: Int) {
    extend(by: length).update(from: from, count: length)
  }

  /// How far `append(loosely:_:)` may read and write past the last octet.
  static let slack = 16

  /// Appends sixteen octets at a time, which is faster than a call if they are few.
  @inline(__always) mutating func append(loosely from: UnsafePointer<UInt8>, _ length: Int) {
    guard length <= 128 else { return append(from, length) }
    reserve(length + Self.slack)
    let (source, target) = (UnsafeRawPointer(from), UnsafeMutableRawPointer(start + count))
    var index = 0
    while index < length {
      let word = source.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
      target.storeBytes(of: word, toByteOffset: index, as: SIMD16<UInt8>.self)
      index &+= Self.slack
    }
    count &+= length
  }

  mutating func append(_ bytes: some Collection<UInt8>) {
    for byte in bytes { append(byte) }
  }

  @inline(__always) mutating func append(_ word: StaticString) {
    append(word.utf8Start, word.utf8CodeUnitCount)
  }

  @inline(__always) mutating func truncate(to length: Int) { count = min(count, length) }

  /// Replaces everything from `index` on.
  mutating func replace(from index: Int, by other: borrowing TextBuffer) {
    truncate(to: index)
    append(other.start, other.count)
  }
}
