/// How to make one run of octets of another (Protocol.md §8.3). The octets mean nothing here.
///
/// Whatever a value of this type was made from, its operations fit its sizes: it was either
/// computed, or checked as it was decoded. So only a wrong base can keep it from being applied.
package struct Difference: Equatable, Sendable {
  /// Octets before the operations.
  package static let headerSize = 16

  /// The record with whose state to begin: 1 to 2^64 - 2.
  package let base: UInt64
  /// Octets that the base has.
  package let baseSize: Int
  /// Octets that the result has.
  package let targetSize: Int
  /// What to do, as it is on the wire.
  package let operations: [UInt8]

  /// Octets that `encoded()` takes.
  package var encodedSize: Int { Self.headerSize + operations.count }

  init(unchecked operations: [UInt8], base: UInt64, baseSize: Int, targetSize: Int) {
    self.base = base
    self.baseSize = baseSize
    self.targetSize = targetSize
    self.operations = operations
  }

  /// Checks operations against the sizes.
  package init(
    base: UInt64, baseSize: Int, targetSize: Int, operations: [UInt8]
  ) throws(DifferenceError) {
    guard base > 0, base < .max else { throw .invalidBase(base) }
    self.init(
      unchecked: operations, base: base, baseSize: baseSize, targetSize: targetSize)
    try check()
  }

  /// Reads and checks a difference, in time that grows with its own size alone.
  ///
  /// - Parameter sizeMax: the octets that base and target may have at most.
  package init(decoding bytes: [UInt8], sizeMax: Int) throws(DifferenceError) {
    guard bytes.count >= Self.headerSize else {
      throw .truncated(field: "header", needed: Self.headerSize, available: bytes.count)
    }
    let baseSize = Int(bytes[8..<12].bigEndianNumber)
    let targetSize = Int(bytes[12..<16].bigEndianNumber)
    for (field, size) in [("base size", baseSize), ("target size", targetSize)] {
      guard size <= sizeMax else {
        throw .beyondLimit(field: field, value: size, limit: sizeMax)
      }
    }
    try self.init(
      base: bytes[..<8].bigEndianNumber, baseSize: baseSize, targetSize: targetSize,
      operations: Array(bytes[Self.headerSize...]))
  }

  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(encodedSize)
    for value in [base, UInt64(baseSize) << 32 | UInt64(targetSize)] {
      withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes + operations
  }

  private func check() throws(DifferenceError) {
    var reader = OperationReader(operations)
    var cursor = 0
    var size = 0
    while let operation = try reader.next() {
      let count = operation.count
      switch operation.kind {
      case .copy, .skip:
        guard count <= baseSize - cursor else {
          throw .outsideOfBase(at: operation.offset, cursor: cursor, count: count)
        }
        cursor += count
      case .back:
        guard count <= cursor else {
          throw .outsideOfBase(at: operation.offset, cursor: cursor, count: count)
        }
        cursor -= count
      case .insert: break
      }
      guard operation.kind.makesOctets else { continue }
      guard count <= targetSize - size else {
        throw .targetTooLong(at: operation.offset, limit: targetSize)
      }
      size += count
    }
    guard size == targetSize else { throw .targetTooShort(size: size, expected: targetSize) }
  }
}

extension ArraySlice<UInt8> {
  /// Of eight octets at most.
  fileprivate var bigEndianNumber: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}
