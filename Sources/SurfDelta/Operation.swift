/// One step of a difference.
struct Operation {
  /// The numbers are the wire's.
  enum Kind: UInt8 {
    /// Takes octets of the base from the cursor on, and moves the cursor behind them.
    case copy = 0
    /// Takes the octets that follow the operation.
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
  /// Five groups of seven bits: enough for every 32-bit size and the kind.
  static let numberSizeMax = 5

  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next operation; nil at the end.
  mutating func next() throws(DifferenceError) -> Operation? {
    guard offset < bytes.count else { return nil }
    let start = offset
    let number = try number()
    let count = Int(number >> 2)
    guard count > 0 else { throw .emptyOperation(at: start) }
    // Two bits have four values, all of which are kinds.
    let kind = Operation.Kind(rawValue: UInt8(number & 3)) ?? .copy
    let size = kind == .insert ? count : 0
    guard size <= bytes.count - offset else {
      throw .truncated(field: "insertion", needed: size, available: bytes.count - offset)
    }
    defer { offset += size }
    return Operation(kind: kind, count: count, offset: start, octets: offset..<(offset + size))
  }

  private mutating func number() throws(DifferenceError) -> UInt64 {
    let start = offset
    var number: UInt64 = 0
    for place in 0..<Self.numberSizeMax {
      guard offset < bytes.count else {
        throw .truncated(field: "number", needed: place + 1, available: place)
      }
      let octet = bytes[offset]
      offset += 1
      number |= UInt64(octet & 0x7F) << UInt64(7 * place)
      if octet < 0x80 { return number }
    }
    throw .numberTooLong(at: start)
  }
}
