import SurfTransport
import SurfWire
import TestSupport

/// The source of numbers in messages: the ends of a field's range, numbers near powers of two, and
/// numbers near the session's own.
struct Numbers {
  var random: SeededGenerator
  /// Numbers that the machines have named recently.
  private var own: [UInt64] = [1]

  private static let edges: [UInt64] = [
    0, 1, 2, 3, (1 << 31) - 1, 1 << 31, (1 << 31) + 1, (1 << 32) - 1, 1 << 32, (1 << 32) + 1,
    (1 << 63) - 1, 1 << 63, (1 << 63) + 1, .max - 2, .max - 1, .max,
  ]
  private static let ownCountMax = 8

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func learn(_ number: SequenceNumber) {
    if own.count >= Self.ownCountMax { own.removeFirst() }
    own.append(number.rawValue)
  }

  /// True once in `count` times.
  mutating func isChance(oneIn count: Int) -> Bool { below(count) == 0 }

  mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

  mutating func one<Element>(of elements: [Element]) -> Element {
    elements[below(elements.count)]
  }

  mutating func number() -> UInt64 {
    guard isChance(oneIn: 3) else { return one(of: Self.edges) }
    return one(of: own) &+ UInt64(below(6)) &- 2
  }

  mutating func sequence() -> SequenceNumber { SequenceNumber(number()) }
  mutating func count() -> WireCount { WireCount(number()) }
  mutating func count32() -> WireCount { WireCount(UInt64(number32())) }
  mutating func number32() -> UInt32 { UInt32(clamping: number()) }
  mutating func position() -> Position { Position(wire: sequence()) }

  /// A progress that no reader refuses.
  mutating func progress() -> StreamProgress {
    let newest = min(sequence(), SequenceNumber.max.previous)
    let record = min(sequence(), SequenceNumber.max.previous)
    let state = min(sequence(), newest)
    let extent = min(count32(), state.distance(to: newest.next))
    let hasState = state > 0 && !extent.isZero
    let hasRecord = record > 0 && newest > 0
    return StreamProgress(
      newestPacket: newest, oldestPacket: min(max(sequence(), 1), newest.next),
      newestRecord: hasRecord ? record : 0,
      newestRecordPacket: hasRecord ? min(max(sequence(), 1), newest) : 0,
      newestStatePacket: hasState ? state : 0, newestStatePacketCount: hasState ? extent : 0)
  }

  mutating func ranges(_ countMax: Int, sizeMax: UInt64) -> [PacketRange] {
    (0...below(countMax)).compactMap { _ in
      PacketRange(first: sequence(), count: min(count32(), WireCount(sizeMax)))
    }
  }
}
