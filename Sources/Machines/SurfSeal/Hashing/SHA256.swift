/// SHA-256 (FIPS 180-4, 6.2), fed piece by piece, without heap memory.
package struct SHA256: Sendable {
  private var state: SIMD8<UInt32>
  private var block = SIMD64<UInt8>.zero
  /// Octets so far. Those of the last, incomplete block are in `block`.
  private var count: UInt64

  package init() { self.init(resuming: Self.initialState, after: 0) }

  /// Continues from a midstate.
  ///
  /// - Precondition: `count` is a multiple of the block size.
  init(resuming state: SIMD8<UInt32>, after count: UInt64) {
    (self.state, self.count) = (state, count)
  }

  package static let blockSize = 64

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    let filled = Int(count % 64)
    count &+= UInt64(bytes.count)
    if filled > 0 {
      let part = rest.prefix(Self.blockSize - filled)
      fill(from: filled, with: part)
      rest = rest.dropFirst(part.count)
      guard filled + part.count == Self.blockSize else { return }
      compressBlock()
    }
    while rest.count >= Self.blockSize {
      state = Self.compressed(state, UnsafeRawBufferPointer(rebasing: rest.prefix(Self.blockSize)))
      rest = rest.dropFirst(Self.blockSize)
    }
    fill(from: 0, with: rest)
  }

  package mutating func update(_ bytes: some Collection<UInt8>) {
    if bytes.withContiguousStorageIfAvailable({ update(UnsafeRawBufferPointer($0)) }) == nil {
      Array(bytes).withUnsafeBytes { update($0) }
    }
  }

  /// Pads with a one bit, zeros, and the length in bits as eight octets.
  package consuming func finish() -> Octets32 {
    let bitCount = count &* 8
    update(CollectionOfOne(0x80))
    while count % 64 != 56 { update(CollectionOfOne(0)) }
    withUnsafeBytes(of: bitCount.bigEndian) { update($0) }
    return Octets32(words: state)
  }

  /// The state after whole blocks. Another hash can continue from it.
  var midstate: SIMD8<UInt32> { state }

  private mutating func fill(from start: Int, with bytes: Slice<UnsafeRawBufferPointer>) {
    for (index, octet) in bytes.enumerated() { block[start + index] = octet }
  }

  private mutating func compressBlock() {
    let full = block
    state = withUnsafeBytes(of: full) { Self.compressed(state, $0) }
  }
}

extension SHA256 {
  /// The first 32 bits of the fractional parts of the square roots of the first eight primes.
  private static let initialState = SIMD8<UInt32>(
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
    0x5be0_cd19)

  /// The same of the cube roots of the first 64 primes.
  private static let constants: InlineArray<64, UInt32> = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]

  private static func compressed(
    _ state: SIMD8<UInt32>, _ block: UnsafeRawBufferPointer
  ) -> SIMD8<UInt32> {
    // The last sixteen words of the schedule; each new one replaces the oldest.
    var words = InlineArray<16, UInt32> { index in
      UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      if index >= 16 { extend(&words, at: index) }
      let choice = e & f ^ ~e & g
      let majority = a & b ^ a & c ^ b & c
      let first = h &+ mixed(e, 6, 11, 25) &+ choice &+ constants[index] &+ words[index & 15]
      let second = mixed(a, 2, 13, 22) &+ majority
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    return state &+ SIMD8(a, b, c, d, e, f, g, h)
  }

  private static func extend(_ words: inout InlineArray<16, UInt32>, at index: Int) {
    let early = words[(index &+ 1) & 15]
    let late = words[(index &+ 14) & 15]
    words[index & 15] &+=
      (rotated(early, 7) ^ rotated(early, 18) ^ early >> 3) &+ words[(index &+ 9) & 15]
      &+ (rotated(late, 17) ^ rotated(late, 19) ^ late >> 10)
  }

  private static func mixed(_ word: UInt32, _ first: UInt32, _ second: UInt32, _ third: UInt32)
    -> UInt32
  {
    rotated(word, first) ^ rotated(word, second) ^ rotated(word, third)
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 &- count)
  }
}
