import SurfWire

/// Tests know their own numbers, and compute with them.
extension SequenceNumber: Strideable {
  @usableFromInline package func distance(to other: SequenceNumber) -> Int {
    Int(truncatingIfNeeded: other.rawValue &- rawValue)
  }

  @usableFromInline package func advanced(by count: Int) -> SequenceNumber {
    SequenceNumber(rawValue &+ UInt64(truncatingIfNeeded: count))
  }

  package static func + (sequence: SequenceNumber, count: Int) -> SequenceNumber {
    SequenceNumber(sequence.rawValue + UInt64(count))
  }

  package static func - (sequence: SequenceNumber, count: Int) -> SequenceNumber {
    SequenceNumber(sequence.rawValue - UInt64(count))
  }

  package static func += (sequence: inout SequenceNumber, count: Int) {
    sequence = sequence + count
  }
}

extension SequenceNumber {
  package init(_ number: Int) { self.init(UInt64(number)) }
}

extension BinaryInteger {
  package init(_ sequence: SequenceNumber) { self.init(sequence.rawValue) }
  package init(_ count: WireCount) { self.init(count.rawValue) }
}
