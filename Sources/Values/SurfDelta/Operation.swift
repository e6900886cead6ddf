/// One step of a delta.
struct Operation {
  /// The numbers are the wire's.
  enum Kind: UInt8 {
    /// Takes octets of the base from the cursor on, and moves the cursor behind them.
    case copy = 0
    /// Takes the octets that follow the operation, and moves the cursor as far, but not beyond the
    /// end of the base: most new octets replace as many.
    case insert = 1
    /// Moves the cursor forward.
    case skip = 2
    /// Moves the cursor back.
    case back = 3

    var makesOctets: Bool { self == .copy || self == .insert }
  }

  let kind: Kind
  let count: Int
  /// Where in the operations it begins.
  let offset: Int
  /// Where in the operations the octets of an insertion are; empty otherwise.
  let octets: Range<Int>
}

/// Reads operations one by one.
struct OperationReader {
  private let bytes: [UInt8]
  private var numbers: NumberReader

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    numbers = NumberReader(bytes)
  }

  /// The next operation; nil at the end.
  mutating func next() throws(DeltaError) -> Operation? {
    let start = numbers.offset
    guard start < bytes.count else { return nil }
    let number = try numbers.next("number")
    let count = Int(number >> 2)
    guard count > 0 else { throw .emptyOperation(at: start) }
    // Two bits have four values, all of which are kinds.
    let kind = Operation.Kind(rawValue: UInt8(number & 3)) ?? .copy
    guard kind == .insert else {
      return Operation(kind: kind, count: count, offset: start, octets: start..<start)
    }
    let rest = bytes.count - numbers.offset
    guard count <= rest else {
      throw .truncated(field: "insertion", needed: count, available: rest)
    }
    let octets = numbers.offset..<(numbers.offset + count)
    numbers.offset = octets.upperBound
    return Operation(kind: kind, count: count, offset: start, octets: octets)
  }
}
