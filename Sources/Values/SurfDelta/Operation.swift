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

// Numbers of as few octets as they need: Protocol.md §1.

/// Reads numbers off octets.
struct NumberReader {
  private let bytes: [UInt8]
  /// Where the next one begins.
  var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next(_ field: String) throws(DeltaError) -> UInt64 {
    let start = offset
    var number: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      guard offset < bytes.count else {
        throw .truncated(field: field, needed: offset - start + 1, available: offset - start)
      }
      let octet = bytes[offset]
      // Nine octets have 63 bits: the tenth has the last one.
      guard shift < 63 || octet <= 1 else { throw .numberTooLong(at: start) }
      offset += 1
      number |= UInt64(octet & 0x7F) << shift
      if octet < 0x80 { return number }
      shift += 7
    }
  }
}

extension [UInt8] {
  mutating func append(number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }
}
