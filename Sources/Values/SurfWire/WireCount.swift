/// A count that a stranger states, or that follows from strangers' counts.
///
/// It has no operators, for the reason that `SequenceNumber` has none.
@usableFromInline
package struct WireCount: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
  /// For the wire and for people; no code computes with it.
  @usableFromInline package let rawValue: UInt64

  @inlinable package init(_ rawValue: UInt64) { self.rawValue = rawValue }
  @inlinable package init(integerLiteral value: UInt64) { rawValue = value }
  /// A negative count becomes zero.
  @inlinable package init(_ count: Int) { rawValue = UInt64(clamping: count) }
  @inlinable package init(_ count: UInt32) { rawValue = UInt64(count) }

  @inlinable package static var max: WireCount { WireCount(UInt64.max) }

  @inlinable package var isZero: Bool { rawValue == 0 }

  @inlinable package func adding(_ other: WireCount) -> WireCount {
    let (sum, passes) = rawValue.addingReportingOverflow(other.rawValue)
    return WireCount(passes ? .max : sum)
  }

  /// Zero if there are fewer.
  @inlinable package func subtracting(_ other: WireCount) -> WireCount {
    WireCount(other.rawValue > rawValue ? 0 : rawValue &- other.rawValue)
  }

  @inlinable package func doubled() -> WireCount { adding(self) }

  /// - Precondition: `divisor` is not 0; it is a number of our own.
  @inlinable package func divided(by divisor: UInt64) -> WireCount { WireCount(rawValue / divisor) }

  @inlinable package mutating func add(_ other: WireCount) { self = adding(other) }
  @inlinable package mutating func subtract(_ other: WireCount) { self = subtracting(other) }

  /// As a number of our own to compute with: `limit` keeps that far from any end.
  @inlinable package func clamped(to limit: Int) -> Int {
    rawValue > UInt64(clamping: limit) ? limit : Int(truncatingIfNeeded: rawValue)
  }

  /// In a field of 32 bits; a greater count becomes its largest.
  @inlinable package var clampedTo32Bits: UInt32 { UInt32(clamping: rawValue) }

  @inlinable package static func == (left: WireCount, right: WireCount) -> Bool {
    left.rawValue == right.rawValue
  }

  @inlinable package static func < (left: WireCount, right: WireCount) -> Bool {
    left.rawValue < right.rawValue
  }

  @inlinable package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension WireCount: CustomStringConvertible {
  @inlinable package var description: String { String(rawValue) }
}

extension Sequence<WireCount> {
  @inlinable package var sum: WireCount { reduce(0) { $0.adding($1) } }
}
