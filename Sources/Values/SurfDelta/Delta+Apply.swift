extension Delta {
  /// The target, made of the base.
  ///
  /// Costs time in proportion to the target and the delta.
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

  /// Turns the base into the target.
  ///
  /// Costs no more than the changed octets if nothing moves and no other owner holds the array;
  /// otherwise as much as `apply(to:)`. An error leaves the array as it was.
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

  /// Octets that `apply(inPlace:)` writes.
  package var applicationSize: Int {
    do throws(DeltaError) {
      return try isReplacement() ? operations.count : targetSize
    } catch {
      return targetSize
    }
  }

  /// Whether the target is the base.
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

  /// Whether every octet that is copied stays where it is.
  private func isReplacement() throws(DeltaError) -> Bool {
    guard baseSize == targetSize else { return false }
    var reader = OperationReader(operations)
    while let operation = try reader.next() {
      guard operation.kind.makesOctets else { return false }
    }
    return true
  }
}
