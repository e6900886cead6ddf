/// The digest that `Sec-WebSocket-Accept` is made of (RFC 3174). It protects nothing here: RFC 6455
/// §1.3 only asks for proof that the peer read the key.
package enum SHA1 {
  /// The 20 bytes of the digest.
  package static func digest(of message: [UInt8]) -> [UInt8] {
    let padded = padded(message)
    var state: [UInt32] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0]
    for start in stride(from: 0, to: padded.count, by: 64) {
      let mixed = compress(state, schedule(padded[start..<(start + 64)]))
      state = zip(state, mixed).map { $0 &+ $1 }
    }
    return state.flatMap(bigEndianBytes)
  }

  /// A one bit, zeros, and the length in bits as 8 bytes, to whole blocks of 64 bytes.
  private static func padded(_ message: [UInt8]) -> [UInt8] {
    let zeros = (119 - message.count % 64) % 64
    let bits = UInt64(message.count) << 3
    let length = bigEndianBytes(UInt32(bits >> 32)) + bigEndianBytes(UInt32(bits & 0xffff_ffff))
    return message + [0x80] + [UInt8](repeating: 0, count: zeros) + length
  }

  private static func schedule(_ block: ArraySlice<UInt8>) -> [UInt32] {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
      block[start..<(start + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<80 {
      let mixed = words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16]
      words.append(rotated(mixed, by: 1))
    }
    return words
  }

  private static func compress(_ state: [UInt32], _ words: [UInt32]) -> [UInt32] {
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for (index, word) in words.enumerated() {
      let (choice, constant): (UInt32, UInt32) =
        switch index {
        case ..<20: (b & c | ~b & d, 0x5a82_7999)
        case ..<40: (b ^ c ^ d, 0x6ed9_eba1)
        case ..<60: (b & c | b & d | c & d, 0x8f1b_bcdc)
        default: (b ^ c ^ d, 0xca62_c1d6)
        }
      let next = rotated(a, by: 5) &+ choice &+ e &+ word &+ constant
      (a, b, c, d, e) = (next, a, rotated(b, by: 30), c, d)
    }
    return [a, b, c, d, e]
  }

  private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }

  private static func bigEndianBytes(_ word: UInt32) -> [UInt8] {
    stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
  }
}
