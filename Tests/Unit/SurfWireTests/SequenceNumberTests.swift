import SurfWire
import Testing

/// Arithmetic with the numbers of strangers stays in range.
@Suite struct SequenceNumberTests {
  private static let edges: [UInt64] = [
    0, 1, 2, 1 << 31, 1 << 32, (1 << 63) - 1, 1 << 63, .max - 1, .max,
  ]

  @Test(arguments: edges) func `the next and the one before stay at the ends`(_ number: UInt64) {
    let sequence = SequenceNumber(number)
    #expect(sequence.next.rawValue == (number == .max ? .max : number + 1))
    #expect(sequence.previous.rawValue == (number == 0 ? 0 : number - 1))
  }

  @Test(arguments: edges, edges)
  func `going on and back by any count stays at the ends`(_ number: UInt64, _ step: UInt64) {
    let (sequence, count) = (SequenceNumber(number), WireCount(step))
    let sum = number.addingReportingOverflow(step)
    let delta = number.subtractingReportingOverflow(step)
    #expect(sequence.advanced(by: count).rawValue == (sum.overflow ? .max : sum.partialValue))
    #expect(
      sequence.goingBack(by: count).rawValue == (delta.overflow ? 0 : delta.partialValue))
    let other = WireCount(number)
    #expect(other.adding(count).rawValue == (sum.overflow ? .max : sum.partialValue))
    #expect(
      other.subtracting(count).rawValue == (delta.overflow ? 0 : delta.partialValue))
  }

  @Test(arguments: edges, edges)
  func `no range is too long, and none is upside down`(_ lower: UInt64, _ upper: UInt64) {
    let (first, last) = (SequenceNumber(lower), SequenceNumber(upper))
    let isRising = lower <= upper
    #expect((first..<last).length.rawValue == (isRising ? upper - lower : 0))
    let length = isRising ? upper - lower : 0
    #expect((first...last).length.rawValue == (length == .max ? .max : length + 1))
    #expect((first..<last).isEmpty == (lower >= upper))
  }

  @Test(arguments: edges) func `a count becomes no more than it may`(_ number: UInt64) {
    #expect(WireCount(number).clamped(to: 100) == Int(min(number, 100)))
    #expect(WireCount(number).clamped(to: .max) == Int(clamping: number))
    #expect(WireCount(-Int(number >> 1)).isZero)
    #expect([WireCount(number), .max].sum == .max)
  }
}
