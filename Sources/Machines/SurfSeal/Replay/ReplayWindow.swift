package import SurfWire

/// Which of a sender's numbers have been here: each passes once, and none that is 256 behind the
/// greatest.
package struct ReplayWindow: Sendable {
  package static let length = 256

  private var greatest: SequenceNumber = 0
  /// A bit for each of the last numbers, at its place in a ring.
  private var seen = SIMD4<UInt64>.zero

  package init() {}

  /// Takes a number whose datagram has opened.
  ///
  /// - Returns: false if it was here, or may have been. 0 and the last number are no message's.
  package mutating func accept(_ number: SequenceNumber) -> Bool {
    guard number > 0, number < .max else { return false }
    if greatest < number {
      advance(to: number)
    } else if number.distance(to: greatest) >= WireCount(Self.length) {
      return false
    }
    let (word, bit) = place(of: number)
    guard seen[word] & bit == 0 else { return false }
    seen[word] |= bit
    return true
  }

  /// The places of the numbers in between are those of numbers that are too old now.
  private mutating func advance(to number: SequenceNumber) {
    if greatest.distance(to: number) >= WireCount(Self.length) {
      seen = .zero
    } else {
      for skipped in (greatest.next...number).halfOpen.numbers {
        let (word, bit) = place(of: skipped)
        seen[word] &= ~bit
      }
    }
    greatest = number
  }

  private func place(of number: SequenceNumber) -> (word: Int, bit: UInt64) {
    let place = number.place(inRingOf: Self.length)
    return (place / 64, 1 << UInt64(place % 64))
  }
}
