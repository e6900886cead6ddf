/// One operation of a delta (Protocol.md §8.3). The cursor is a position in the base.
struct Operation {
  /// Part of the wire format.
  enum Kind: UInt8 {
    /// Appends octets of the base from the cursor on, and moves the cursor past them.
    case copy = 0
    /// Appends the octets that follow, and moves the cursor as far, at most to the end of the base.
    /// Most inserted octets replace as many others.
    case insert = 1
    /// Moves the cursor forward.
    case skip = 2
    /// Moves the cursor back.
    case back = 3

    var makesOctets: Bool { self == .copy || self == .insert }
  }

  let kind: Kind
  let count: Int
  /// Where the operation begins among the operations.
  let offset: Int
  /// Where the octets of an insertion are among the operations; empty for other kinds.
  let octets: Range<Int>
}

struct OperationReader {
  private let bytes: [UInt8]
  private var numbers: NumberReader

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    numbers = NumberReader(bytes)
  }

  mutating func next() throws(DeltaError) -> Operation? {
    let start = numbers.offset
    guard start < bytes.count else { return nil }
    let number = try numbers.next("number")
    let count = Int(number >> 2)
    guard count > 0 else { throw .emptyOperation(at: start) }
    // Two bits have four values, and each is a kind.
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

/// Encodes operations, joining adjacent copies.
struct OperationWriter {
  private(set) var bytes: [UInt8] = []
  private let baseSize: Int
  /// Where the reader's cursor will be after the copy that is still held back.
  private var cursor = 0
  private var heldCopyCount = 0

  init(baseSize: Int) { self.baseSize = baseSize }

  /// Copies octets of the base.
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

  /// Inserts octets that are not in the base.
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

/// Reads variable-length numbers (Protocol.md §1).
struct NumberReader {
  private let bytes: [UInt8]
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
      // Nine octets hold 63 bits; the tenth holds the last one.
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
