/// The number of a record or of a packet within its session: 1, 2, 3 … (Protocol.md §4).
///
/// A stranger can write any 64 bits into one. So it has no operators that could trap: computations
/// with it have names, and stay at the end that they would pass.
@usableFromInline
package struct SequenceNumber: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
  /// For the wire, for tables and for people; no code computes with it.
  @usableFromInline package let rawValue: UInt64

  @inlinable package init(_ rawValue: UInt64) { self.rawValue = rawValue }
  @inlinable package init(integerLiteral value: UInt64) { rawValue = value }

  /// Behind all others; no record and no packet has it.
  @inlinable package static var max: SequenceNumber { SequenceNumber(.max) }

  /// The following number; the last one stays as it is.
  @inlinable package var next: SequenceNumber {
    SequenceNumber(rawValue == .max ? .max : rawValue &+ 1)
  }

  /// The preceding number; 0 stays as it is.
  @inlinable package var previous: SequenceNumber {
    SequenceNumber(rawValue == 0 ? 0 : rawValue &- 1)
  }

  @inlinable package func advanced(by count: WireCount) -> SequenceNumber {
    let (sum, passes) = rawValue.addingReportingOverflow(count.rawValue)
    return SequenceNumber(passes ? .max : sum)
  }

  @inlinable package func goingBack(by count: WireCount) -> SequenceNumber {
    SequenceNumber(count.rawValue > rawValue ? 0 : rawValue &- count.rawValue)
  }

  /// How many numbers from this one to before `end`; zero if that is not behind.
  @inlinable package func distance(to end: SequenceNumber) -> WireCount {
    WireCount(end.rawValue > rawValue ? end.rawValue &- rawValue : 0)
  }

  /// Its place in a ring of `count` places.
  ///
  /// - Precondition: `count` is a power of two.
  @inlinable package func place(inRingOf count: Int) -> Int {
    Int(truncatingIfNeeded: rawValue & UInt64(truncatingIfNeeded: count &- 1))
  }

  @inlinable package static func == (left: SequenceNumber, right: SequenceNumber) -> Bool {
    left.rawValue == right.rawValue
  }

  @inlinable package static func < (left: SequenceNumber, right: SequenceNumber) -> Bool {
    left.rawValue < right.rawValue
  }

  @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

// On the protocol, so that the compiler does not take `0..<5` for these.
extension Comparable where Self == SequenceNumber {
  /// Empty if the end is not behind the beginning.
  @inlinable package static func ..< (first: Self, end: Self) -> Range<Self> {
    Range(uncheckedBounds: (first, Swift.max(first, end)))
  }

  /// A last one before the first counts for nothing.
  @inlinable package static func ... (first: Self, last: Self) -> ClosedRange<Self> {
    ClosedRange(uncheckedBounds: (first, Swift.max(first, last)))
  }
}

extension SequenceNumber: CustomStringConvertible {
  @inlinable package var description: String { String(rawValue) }
}

extension Range<SequenceNumber> {
  /// How many numbers there are in it.
  @inlinable package var length: WireCount { lowerBound.distance(to: upperBound) }

  /// Each of them in turn; make sure that there are not too many.
  @inlinable package var numbers: some Sequence<SequenceNumber> {
    (lowerBound.rawValue..<upperBound.rawValue).lazy.map { SequenceNumber($0) }
  }

  /// The same with its last number; nil if there is none.
  @inlinable package var closed: ClosedRange<SequenceNumber>? {
    isEmpty ? nil : lowerBound...upperBound.previous
  }
}

extension ClosedRange<SequenceNumber> {
  @inlinable package var length: WireCount {
    lowerBound.distance(to: upperBound).adding(1)
  }

  /// The same, ending with the number behind its last.
  @inlinable package var halfOpen: Range<SequenceNumber> { lowerBound..<upperBound.next }
}
