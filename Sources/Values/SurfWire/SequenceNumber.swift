/// The number of a record or a packet within its session: 1, 2, 3 … (Protocol.md §4).
///
/// A stranger can send any 64 bits, so it has no operators that could trap. Computations with it
/// are named methods that saturate.
@usableFromInline
package struct SequenceNumber: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
  /// For the wire, tables and people. Do not compute with it.
  @usableFromInline package let rawValue: UInt64

  @inlinable package init(_ rawValue: UInt64) { self.rawValue = rawValue }
  @inlinable package init(integerLiteral value: UInt64) { rawValue = value }

  /// Greater than any record's or packet's number.
  @inlinable package static var max: SequenceNumber { SequenceNumber(.max) }

  /// The following number; saturates.
  @inlinable package var next: SequenceNumber {
    SequenceNumber(rawValue == .max ? .max : rawValue &+ 1)
  }

  /// The preceding number; 0 stays 0.
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

  /// How many numbers there are from this one up to but not including `end`; 0 if `end` is not
  /// greater.
  @inlinable package func distance(to end: SequenceNumber) -> WireCount {
    WireCount(end.rawValue > rawValue ? end.rawValue &- rawValue : 0)
  }

  /// Its index in a ring buffer of `count` elements.
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

// On the protocol, so that the compiler does not pick these for `0..<5`.
extension Comparable where Self == SequenceNumber {
  /// Empty if `end` is not greater than `first`.
  @inlinable package static func ..< (first: Self, end: Self) -> Range<Self> {
    Range(uncheckedBounds: (first, Swift.max(first, end)))
  }

  /// `first...first` if `last` is less than `first`.
  @inlinable package static func ... (first: Self, last: Self) -> ClosedRange<Self> {
    ClosedRange(uncheckedBounds: (first, Swift.max(first, last)))
  }
}

extension SequenceNumber: CustomStringConvertible {
  @inlinable package var description: String { String(rawValue) }
}

extension Range<SequenceNumber> {
  @inlinable package var length: WireCount { lowerBound.distance(to: upperBound) }

  /// Each number in turn. The caller must make sure that there are not too many.
  @inlinable package var numbers: some Sequence<SequenceNumber> {
    (lowerBound.rawValue..<upperBound.rawValue).lazy.map { SequenceNumber($0) }
  }

  /// The same numbers as a closed range; nil if empty.
  @inlinable package var closed: ClosedRange<SequenceNumber>? {
    isEmpty ? nil : lowerBound...upperBound.previous
  }
}

extension ClosedRange<SequenceNumber> {
  @inlinable package var length: WireCount {
    lowerBound.distance(to: upperBound).adding(1)
  }

  /// The same numbers as a half-open range.
  @inlinable package var halfOpen: Range<SequenceNumber> { lowerBound..<upperBound.next }
}
