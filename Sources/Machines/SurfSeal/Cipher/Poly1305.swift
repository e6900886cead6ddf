/// Poly1305 (RFC 8439 §2.5): a sum over blocks of 16 octets, modulo 2^130 − 5. `ChaChaPoly`
/// computes its tags with it.
///
/// The sum and the key's r are kept in three limbs of 44, 44 and 42 bits, so that sums of their
/// products fit into 128 bits. No branch and no memory address depends on them.
package struct Poly1305: Secret {
  private let r: (UInt64, UInt64, UInt64)
  /// 20 · r1 and 20 · r2: bits beyond 130 wrap around times 5, and the limbs have two bits fewer.
  private let folded: (UInt64, UInt64)
  private var h: (UInt64, UInt64, UInt64) = (0, 0, 0)
  private let s: SIMD2<UInt64>

  private static let mask44: UInt64 = 0xfff_ffff_ffff
  private static let mask42: UInt64 = 0x3ff_ffff_ffff

  /// - Parameter key: r and s, as little-endian words.
  init(key: SIMD4<UInt64>) {
    // RFC 8439 §2.5 clears some bits of r.
    let low = key[0] & 0x0fff_fffc_0fff_ffff
    let high = key[1] & 0x0fff_fffc_0fff_fffc
    r = (low & Self.mask44, (low >> 44 | high << 20) & Self.mask44, high >> 24)
    folded = (r.1 &* 20, r.2 &* 20)
    s = SIMD2(key[2], key[3])
  }

  package static func tag(of message: [UInt8], key: Octets32) -> [UInt8] {
    let words = key.octets.withUnsafeBytes { $0.loadUnaligned(as: SIMD4<UInt64>.self) }
    var sum = Poly1305(key: words)
    message.withUnsafeBytes { bytes in
      let rest = sum.addBlocks(bytes)
      guard !rest.isEmpty else { return }
      let block = Self.block(Array(rest) + [1])
      sum.add(low: block[0], high: block[1], isWhole: false)
    }
    return withUnsafeBytes(of: sum.tag) { Array($0) }
  }

  /// Adds `bytes`, padded with zeros to a whole block.
  mutating func addPadded(_ bytes: UnsafeRawBufferPointer) {
    let rest = addBlocks(bytes)
    guard !rest.isEmpty else { return }
    let block = Self.block(rest)
    add(low: block[0], high: block[1], isWhole: true)
  }

  /// Adds the whole blocks of `bytes`, and returns the rest.
  private mutating func addBlocks(_ bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer>
  {
    var sum = self
    var offset = 0
    while offset &+ 16 <= bytes.count {
      let block = bytes.loadUnaligned(fromByteOffset: offset, as: SIMD2<UInt64>.self)
      sum.add(low: block[0], high: block[1], isWhole: true)
      offset &+= 16
    }
    self = sum
    return bytes[offset...]
  }

  /// Up to 16 octets, padded with zeros.
  private static func block(_ bytes: some Sequence<UInt8>) -> SIMD2<UInt64> {
    var block = SIMD16<UInt8>.zero
    for (index, octet) in bytes.enumerated() { block[index] = octet }
    return unsafeBitCast(block, to: SIMD2<UInt64>.self)
  }

  /// Adds a block, and multiplies by r.
  ///
  /// - Parameter isWhole: whether to add the bit after the block's 128. A partial block already
  ///   contains its own.
  @inline(__always)
  mutating func add(low: UInt64, high: UInt64, isWhole: Bool) {
    h.0 &+= low & Self.mask44
    h.1 &+= (low >> 44 | high << 20) & Self.mask44
    h.2 &+= high >> 24 | (isWhole ? 1 << 40 : 0)
    multiply()
  }

  @inline(__always)
  private mutating func multiply() {
    let d0 = product(h.0, r.0) &+ product(h.1, folded.1) &+ product(h.2, folded.0)
    var d1 = product(h.0, r.1) &+ product(h.1, r.0) &+ product(h.2, folded.1)
    var d2 = product(h.0, r.2) &+ product(h.1, r.1) &+ product(h.2, r.0)
    d1 &+= d0 >> 44
    d2 &+= d1 >> 44
    let low =
      (UInt64(truncatingIfNeeded: d0) & Self.mask44)
      &+ UInt64(truncatingIfNeeded: d2 >> 42) &* 5
    h.0 = low & Self.mask44
    h.1 = (UInt64(truncatingIfNeeded: d1) & Self.mask44) &+ low >> 44
    h.2 = UInt64(truncatingIfNeeded: d2) & Self.mask42
  }

  @inline(__always)
  private func product(_ left: UInt64, _ right: UInt64) -> UInt128 {
    let (high, low) = left.multipliedFullWidth(by: right)
    return UInt128(_low: low, _high: high)
  }

  /// The sum modulo 2^130 − 5, plus s, modulo 2^128.
  var tag: SIMD2<UInt64> {
    let sum = reduced
    let low = sum.0 | sum.1 << 44
    let high = sum.1 >> 20 | sum.2 << 24
    let (first, carries) = low.addingReportingOverflow(s[0])
    return SIMD2(first, high &+ s[1] &+ (carries ? 1 : 0))
  }

  /// The sum fully reduced: each limb within its bits, and the number below 2^130 − 5.
  private var reduced: (UInt64, UInt64, UInt64) {
    var sum = h
    // Twice, because the first round may leave one more carry.
    for _ in 0..<2 {
      sum.1 &+= sum.0 >> 44
      sum.2 &+= sum.1 >> 44
      sum = (
        (sum.0 & Self.mask44) &+ (sum.2 >> 42) &* 5, sum.1 & Self.mask44, sum.2 & Self.mask42
      )
    }
    // Subtract 2^130 − 5; the sign of the difference tells which of the two numbers to return.
    let less0 = sum.0 &+ 5
    let less1 = sum.1 &+ less0 >> 44
    let less2 = sum.2 &+ less1 >> 44 &- 1 << 42
    let keeps = 0 &- less2 >> 63
    return (
      sum.0 & keeps | less0 & Self.mask44 & ~keeps, sum.1 & keeps | less1 & Self.mask44 & ~keeps,
      sum.2 & keeps | less2 & Self.mask42 & ~keeps
    )
  }
}
