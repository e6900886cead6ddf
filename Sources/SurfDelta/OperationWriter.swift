/// Collects operations, joining copies that touch.
struct OperationWriter {
  private(set) var bytes: [UInt8] = []
  /// Where the reader's cursor will be, with the copy that is still held back.
  private var cursor = 0
  private var heldCopyCount = 0

  /// Takes octets of the base.
  mutating func copy(_ range: Range<Int>) {
    guard !range.isEmpty else { return }
    if range.lowerBound != cursor {
      flush()
      if range.lowerBound > cursor {
        append(.skip, range.lowerBound - cursor)
      } else {
        append(.back, cursor - range.lowerBound)
      }
    }
    heldCopyCount += range.count
    cursor = range.upperBound
  }

  /// Takes octets that are not of the base.
  mutating func insert(_ octets: UnsafeRawBufferPointer) {
    guard !octets.isEmpty else { return }
    flush()
    append(.insert, octets.count)
    bytes.append(contentsOf: octets)
  }

  /// Writes what was held back. To be called after the last operation.
  mutating func flush() {
    if heldCopyCount > 0 { append(.copy, heldCopyCount) }
    heldCopyCount = 0
  }

  private mutating func append(_ kind: Operation.Kind, _ count: Int) {
    var number = UInt64(count) << 2 | UInt64(kind.rawValue)
    while number >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: number) | 0x80)
      number >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: number))
  }
}
