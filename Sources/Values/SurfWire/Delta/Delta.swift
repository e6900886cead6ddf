/// How to make one run of octets, a state or a payload, from another (Protocol.md §8.3).
///
/// The operations always fit the sizes, because they were either computed or checked. So applying a
/// delta fails only if the base has the wrong size. Another base of the right size gives a wrong
/// result without an error.
package struct Delta: Equatable, Sendable {
  /// The record that carries the base: 1 to 2^64 - 2.
  package let base: SequenceNumber
  /// Octets of the base.
  package let baseSize: Int
  /// Octets of the result.
  package let targetSize: Int
  /// The operations, encoded as on the wire.
  package let operations: [UInt8]

  init(unchecked operations: [UInt8], base: SequenceNumber, baseSize: Int, targetSize: Int) {
    self.base = base
    self.baseSize = baseSize
    self.targetSize = targetSize
    self.operations = operations
  }

  /// A delta whose target equals its base.
  package init(unchanged size: Int, base: SequenceNumber) {
    var operations = OperationWriter(baseSize: size)
    operations.copy(0..<size)
    operations.flush()
    self.init(unchecked: operations.bytes, base: base, baseSize: size, targetSize: size)
  }

  /// Checks the operations against the sizes.
  package init(
    base: SequenceNumber, baseSize: Int, targetSize: Int, operations: [UInt8]
  ) throws(DeltaError) {
    guard base > 0, base < .max else { throw .invalidBase(base) }
    self.init(
      unchecked: operations, base: base, baseSize: baseSize, targetSize: targetSize)
    try check()
  }

  /// Decodes and checks a delta. The time depends only on the delta's own size.
  ///
  /// - Parameter sizeMax: the most octets that the base or the target may have.
  package init(decoding bytes: [UInt8], sizeMax: Int) throws(DeltaError) {
    var header = NumberReader(bytes)
    let base = SequenceNumber(try header.next("base"))
    let baseSize = try header.size("base size", max: sizeMax)
    let targetSize = try header.size("target size", max: sizeMax)
    try self.init(
      base: base, baseSize: baseSize, targetSize: targetSize,
      operations: Array(bytes[header.offset...]))
  }

  package func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(number: base.rawValue)
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

extension Delta {
  /// A range of the base, and the range of the target that replaces it.
  package typealias Edit = (old: Range<Int>, new: Range<Int>)

  /// All differences between base and target, in order; nil if octets moved. A search reads only
  /// these parts of a state.
  ///
  /// The time is proportional to the number of operations, whatever the sizes.
  package var edits: [Edit]? {
    var edits: [Edit] = []
    // Most deltas have no more, and an array that grows is copied each time.
    edits.reserveCapacity(4)
    var reader = OperationReader(operations)
    var (cursor, size) = (0, 0)
    var kept = (old: 0, new: 0)
    func note() {
      guard kept.old < cursor || kept.new < size else { return }
      edits.append((kept.old..<cursor, kept.new..<size))
    }
    do throws(DeltaError) {
      while let operation = try reader.next() {
        switch operation.kind {
        case .copy:
          guard cursor >= kept.old else { return nil }
          note()
          cursor += operation.count
          size += operation.count
          kept = (cursor, size)
        case .insert:
          cursor += min(operation.count, baseSize - cursor)
          size += operation.count
        case .skip: cursor += operation.count
        case .back: cursor -= operation.count
        }
      }
    } catch {
      return nil
    }
    cursor = baseSize
    note()
    return edits
  }
}

extension Delta {
  /// Makes the target from the base, in time proportional to the target and the delta.
  package func apply(to base: [UInt8]) throws(DeltaError) -> [UInt8] {
    try checkSize(of: base)
    var target: [UInt8] = []
    target.reserveCapacity(targetSize)
    var cursor = 0
    var reader = OperationReader(operations)
    while let operation = try reader.next() {
      switch operation.kind {
      case .copy:
        target.append(contentsOf: base[cursor..<(cursor + operation.count)])
        cursor += operation.count
      case .insert:
        target.append(contentsOf: operations[operation.octets])
        cursor += min(operation.count, baseSize - cursor)
      case .skip: cursor += operation.count
      case .back: cursor -= operation.count
      }
    }
    return target
  }

  /// Turns the base into the target in place.
  ///
  /// Costs no more than the changed octets if nothing moves and the array has no other owner;
  /// otherwise as much as `apply(to:)`. An error leaves the array unchanged.
  package func apply(inPlace state: inout [UInt8]) throws(DeltaError) {
    try checkSize(of: state)
    guard try isReplacement() else {
      state = try apply(to: state)
      return
    }
    var offset = 0
    var reader = OperationReader(operations)
    while let operation = try reader.next() {
      guard operation.kind.makesOctets else { continue }
      let end = offset + operation.count
      if operation.kind == .insert {
        state.replaceSubrange(offset..<end, with: operations[operation.octets])
      }
      offset = end
    }
  }

  /// How many octets `apply(inPlace:)` writes.
  package var applicationSize: Int {
    do throws(DeltaError) {
      return try isReplacement() ? operations.count : targetSize
    } catch {
      return targetSize
    }
  }

  /// Whether the target equals the base.
  package var isEmpty: Bool {
    guard baseSize == targetSize, targetSize > 0 else { return baseSize == targetSize }
    var writer = OperationWriter(baseSize: baseSize)
    writer.copy(0..<targetSize)
    writer.flush()
    return operations == writer.bytes
  }

  private func checkSize(of base: [UInt8]) throws(DeltaError) {
    guard base.count == baseSize else {
      throw .wrongBase(size: base.count, expected: baseSize)
    }
  }

  /// Whether every copied octet stays at its offset.
  private func isReplacement() throws(DeltaError) -> Bool {
    guard baseSize == targetSize else { return false }
    var reader = OperationReader(operations)
    while let operation = try reader.next() {
      guard operation.kind.makesOctets else { return false }
    }
    return true
  }
}

/// Why octets are not a valid delta, or why a delta cannot be applied (Protocol.md §8.3).
package enum DeltaError: Error, Equatable, Sendable {
  /// Fewer octets than a field needs, or than a length before it promises.
  case truncated(field: String, needed: Int, available: Int)
  /// A size beyond what the caller allows.
  case beyondLimit(field: String, value: Int, limit: Int)
  /// A number that no record can have.
  case invalidBase(SequenceNumber)
  /// An operation with a count of 0. Here and below, `at` is its offset among the operations.
  case emptyOperation(at: Int)
  /// A number of more than 64 bits.
  case numberTooLong(at: Int)
  /// An operation leaves the base.
  case outsideOfBase(at: Int, cursor: Int, count: Int)
  /// An operation makes more octets than the target has.
  case targetTooLong(at: Int, limit: Int)
  /// All operations together make fewer octets than the target has.
  case targetTooShort(size: Int, expected: Int)
  /// The octets to apply it to have another size than the base.
  case wrongBase(size: Int, expected: Int)
}
