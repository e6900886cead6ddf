package import SurfWire

/// ChaCha20-Poly1305 in Swift, for machines without OpenSSL's libcrypto.
package struct ChaChaPoly: SealingCipher, Secret {
  private let key: ChaCha20

  package init(_ key: SenderKey) { self.key = ChaCha20(key.octets) }

  /// The block counter has 32 bits, and block 0 makes the tag's key.
  private static let textCountMax = (1 << 32 - 1) * ChaCha20.blockSize

  package func seal(
    _ buffer: UnsafeMutableRawBufferPointer, header: UnsafeRawBufferPointer, nonce: SealNonce
  ) -> Bool {
    let count = buffer.count - Seal.tagSize
    guard 0...Self.textCountMax ~= count else {
      buffer.initializeMemory(as: UInt8.self, repeating: 0)
      return false
    }
    let text = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
    let tagKey = key.tagKey(nonce)
    key.apply(to: UnsafeRawBufferPointer(text), into: text, nonce: nonce)
    let tag = Self.tag(of: UnsafeRawBufferPointer(text), header: header, key: tagKey)
    buffer.storeBytes(of: tag, toByteOffset: count, as: SIMD2<UInt64>.self)
    return true
  }

  package func open(
    _ sealed: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer,
    header: UnsafeRawBufferPointer, nonce: SealNonce
  ) -> Bool {
    let count = sealed.count - Seal.tagSize
    guard 0...Self.textCountMax ~= count, count <= buffer.count else { return false }
    let text = UnsafeRawBufferPointer(rebasing: sealed[..<count])
    let tag = Self.tag(of: text, header: header, key: key.tagKey(nonce))
    let difference = tag ^ sealed.loadUnaligned(fromByteOffset: count, as: SIMD2<UInt64>.self)
    guard difference[0] | difference[1] == 0 else { return false }
    key.apply(to: text, into: buffer, nonce: nonce)
    return true
  }

  /// RFC 8439 §2.8: over the header and the text, each padded to whole blocks, and their lengths.
  private static func tag(
    of text: UnsafeRawBufferPointer, header: UnsafeRawBufferPointer, key: SIMD4<UInt64>
  ) -> SIMD2<UInt64> {
    var sum = Poly1305(key: key)
    sum.addPadded(header)
    sum.addPadded(text)
    sum.add(low: UInt64(header.count), high: UInt64(text.count), isWhole: true)
    return sum.tag
  }
}

/// ChaCha20-Poly1305 (RFC 8439 §2.8) under one key. Safe to use from any thread.
///
/// Neither method allocates memory, and neither takes a time that depends on secrets.
package protocol SealingCipher: Sendable {
  /// Encrypts `buffer` in place, except for its last 16 octets, and writes the tag there.
  ///
  /// - Parameter header: authenticated as well, but not part of `buffer`.
  /// - Returns: false on failure: `buffer` then holds zeros, and must not be sent.
  func seal(
    _ buffer: UnsafeMutableRawBufferPointer, header: UnsafeRawBufferPointer, nonce: SealNonce
  ) -> Bool

  /// Decrypts `sealed`, which ends with its tag, into the front of `buffer`.
  ///
  /// - Parameter buffer: at least as large as `sealed` without its tag; the two must not overlap.
  /// - Returns: false unless exactly these octets were sealed with this header, nonce and key. On
  ///   failure nothing is written into `buffer`.
  func open(
    _ sealed: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer,
    header: UnsafeRawBufferPointer, nonce: SealNonce
  ) -> Bool
}

package enum Seal {
  package static let tagSize = 16
}

/// Makes the cipher for a key, in Swift or in a library.
package typealias CipherMaker = @Sendable (SenderKey) -> any SealingCipher

/// Twelve octets that must never be used twice under one key.
///
/// A datagram's type, three zeros, and its number. An app's packets and its other messages share a
/// key and may have equal numbers, but never equal types.
package struct SealNonce: Hashable, Sendable {
  /// The last row of ChaCha20's first block (RFC 8439 §2.3): a counter of 0, then the nonce.
  let row: SIMD4<UInt32>

  /// - Parameter number: a packet's sequence number, or the number of another message.
  package init(type: UInt8, number: SequenceNumber) {
    let octets = number.rawValue.bigEndian
    let front = UInt32(truncatingIfNeeded: octets)
    row = SIMD4(0, UInt32(type), front, UInt32(truncatingIfNeeded: octets >> 32))
  }

  /// Nil unless there are exactly twelve octets.
  package init?(octets: some Collection<UInt8>) {
    guard octets.count == Self.count else { return nil }
    var row = SIMD4<UInt32>.zero
    for (index, octet) in octets.enumerated() {
      row[1 + index / 4] |= UInt32(octet) << UInt32(index % 4 * 8)
    }
    self.row = row
  }

  package static let count = 12

  package func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    Swift.withUnsafeBytes(of: row) { body(UnsafeRawBufferPointer(rebasing: $0[4...])) }
  }
}
