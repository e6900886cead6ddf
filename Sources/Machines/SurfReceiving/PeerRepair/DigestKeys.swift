import SurfTransport
import SurfWire

/// Keys for digests that stay unpredictable even to a host that has seen the earlier ones
/// (Protocol.md §A.1).
///
/// The generator that spreads requests in time would not do: one of its numbers gives away all that
/// follow. This is a keyed hash of a count, as a cookie is one of an address.
struct DigestKeys: Sendable {
  private let secret: (UInt64, UInt64)
  private var count: UInt64 = 0

  init(using random: inout SplitMix64) { secret = (random.next(), random.next()) }

  mutating func next() -> DigestKey {
    count += 2
    return DigestKey(first: number(count), second: number(count + 1))
  }

  private func number(_ index: UInt64) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(secret.0)
    hasher.combine(secret.1)
    hasher.combine(index)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}
