/// Collects operations, joining copies that touch.
struct OperationWriter {
  private(set) var bytes: [UInt8] = []
  private let baseSize: Int
  /// Where the reader's cursor will be, including the copy that is still held back.
  private var cursor = 0
  private var heldCopyCount = 0

  init(baseSize: Int) { self.baseSize = baseSize }

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
    cursor = min(cursor + octets.count, baseSize)
  }

  /// Writes the copy that was held back. Call it after the last operation.
  mutating func flush() {
    if heldCopyCount > 0 { append(.copy, heldCopyCount) }
    heldCopyCount = 0
  }

  private mutating func append(_ kind: Operation.Kind, _ count: Int) {
    bytes.append(number: UInt64(count) << 2 | UInt64(kind.rawValue))
  }
}
