/// A count that a stranger states, or that is computed from such counts.
///
/// Like `SequenceNumber`, it has no operators, and saturates.
@usableFromInline
package struct WireCount: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
  /// For the wire and for people. Do not compute with it.
  @usableFromInline package let rawValue: UInt64

  @inlinable package init(_ rawValue: UInt64) { self.rawValue = rawValue }
  @inlinable package init(integerLiteral value: UInt64) { rawValue = value }
  /// A negative count becomes 0.
  @inlinable package init(_ count: Int) { rawValue = UInt64(clamping: count) }
  @inlinable package init(_ count: UInt32) { rawValue = UInt64(count) }

  @inlinable package static var max: WireCount { WireCount(UInt64.max) }

  @inlinable package var isZero: Bool { rawValue == 0 }

  @inlinable package func adding(_ other: WireCount) -> WireCount {
    let (sum, passes) = rawValue.addingReportingOverflow(other.rawValue)
    return WireCount(passes ? .max : sum)
  }

  /// 0 if `other` is greater.
  @inlinable package func subtracting(_ other: WireCount) -> WireCount {
    WireCount(other.rawValue > rawValue ? 0 : rawValue &- other.rawValue)
  }

  @inlinable package func doubled() -> WireCount { adding(self) }

  /// - Precondition: `divisor` is not 0. It comes from our own code, never from the wire.
  @inlinable package func divided(by divisor: UInt64) -> WireCount { WireCount(rawValue / divisor) }

  @inlinable package mutating func add(_ other: WireCount) { self = adding(other) }
  @inlinable package mutating func subtract(_ other: WireCount) { self = subtracting(other) }

  /// As an `Int` to compute with, safely because it is at most `limit`.
  @inlinable package func clamped(to limit: Int) -> Int {
    rawValue > UInt64(clamping: limit) ? limit : Int(truncatingIfNeeded: rawValue)
  }

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
