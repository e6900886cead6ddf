/// The way to make one run of octets of another (Protocol.md §8.3). The octets mean nothing here.
///
/// The operations of a value of this type always fit its sizes: it was either computed, or checked
/// as it was decoded. So only a wrong base can keep it from being applied.
package struct Delta: Equatable, Sendable {
  /// The record whose state is the base: 1 to 2^64 - 2.
  package let base: UInt64
  /// Octets that the base has.
  package let baseSize: Int
  /// Octets that the result has.
  package let targetSize: Int
  /// The operations, as on the wire.
  package let operations: [UInt8]

  init(unchecked operations: [UInt8], base: UInt64, baseSize: Int, targetSize: Int) {
    self.base = base
    self.baseSize = baseSize
    self.targetSize = targetSize
    self.operations = operations
  }

  /// Checks operations against the sizes.
  package init(
    base: UInt64, baseSize: Int, targetSize: Int, operations: [UInt8]
  ) throws(DeltaError) {
    guard base > 0, base < .max else { throw .invalidBase(base) }
    self.init(
      unchecked: operations, base: base, baseSize: baseSize, targetSize: targetSize)
    try check()
  }

  /// Reads and checks a delta, in time that grows with its own size alone.
  ///
  /// - Parameter sizeMax: the octets that base and target may have at most.
  package init(decoding bytes: [UInt8], sizeMax: Int) throws(DeltaError) {
    var header = NumberReader(bytes)
    let base = try header.next("base")
    let baseSize = try header.size("base size", max: sizeMax)
    let targetSize = try header.size("target size", max: sizeMax)
    try self.init(
      base: base, baseSize: baseSize, targetSize: targetSize,
      operations: Array(bytes[header.offset...]))
  }

  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(number: base)
    bytes.append(number: UInt64(baseSize))
    bytes.append(number: UInt64(targetSize))
    return bytes + operations
  }

  private func check() throws(DeltaError) {
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
      case .insert: cursor += min(count, baseSize - cursor)
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

extension NumberReader {
  fileprivate mutating func size(_ field: String, max limit: Int) throws(DeltaError) -> Int {
    let number = try next(field)
    guard number <= limit else {
      throw .beyondLimit(field: field, value: Int(clamping: number), limit: limit)
    }
    return Int(number)
  }
}
