/// SplitMix64: small, fast, and the same numbers for the same seed on every machine, so that a
/// failure can be repeated by its seed. Drivers seed it with real randomness.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Seeds that differ in a bit give numbers that share nothing.
  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A uniformly distributed duration between zero and `limit`.
  package mutating func duration(upTo limit: Duration) -> Duration {
    limit * Double.random(in: 0..<1, using: &self)
  }
}
