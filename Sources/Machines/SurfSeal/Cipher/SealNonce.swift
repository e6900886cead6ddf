package import SurfWire

/// The twelve octets that must never come twice under one key.
///
/// A datagram's type, three zeros and its number: an app's packets and its other messages share a
/// key, and may have equal numbers, but not types.
package struct SealNonce: Hashable, Sendable {
  /// The last row of ChaCha20's first block (RFC 8439 §2.3): the counter, 0, and the nonce.
  let row: SIMD4<UInt32>

  /// - Parameter number: a packet's sequence, or the number of another message of its sender.
  package init(type: UInt8, number: SequenceNumber) {
    let octets = number.rawValue.bigEndian
    let front = UInt32(truncatingIfNeeded: octets)
    row = SIMD4(0, UInt32(type), front, UInt32(truncatingIfNeeded: octets >> 32))
  }

  /// Nil if there are not exactly twelve.
  package init?(octets: some Collection<UInt8>) {
    guard octets.count == Self.count else { return nil }
    var row = SIMD4<UInt32>.zero
    for (index, octet) in octets.enumerated() {
      row[1 + index / 4] |= UInt32(octet) << UInt32(index % 4 * 8)
    }
    self.row = row
  }

  package static let count = 12

  /// The octets, for the time of the call.
  package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    Swift.withUnsafeBytes(of: row) { body(UnsafeRawBufferPointer(rebasing: $0[4...])) }
  }
}
