package import SurfWire

/// ChaCha20-Poly1305 in Swift: on every machine, without a library.
package struct ChaChaPoly: SealingCipher, Secret {
  private let key: ChaCha20

  package init(_ key: SenderKey) { self.key = ChaCha20(key.octets) }

  /// The text's length is a count of 32 bits of blocks, of which the first makes the tag's key.
  private static let textCountMax = (1 << 32 - 1) * ChaCha20.blockSize

  package func seal(
    _ room: UnsafeMutableRawBufferPointer, header: UnsafeRawBufferPointer, nonce: SealNonce
  ) -> Bool {
    let count = room.count - Seal.tagSize
    guard 0...Self.textCountMax ~= count else {
      room.initializeMemory(as: UInt8.self, repeating: 0)
      return false
    }
    let text = UnsafeMutableRawBufferPointer(rebasing: room[..<count])
    let tagKey = key.tagKey(nonce)
    key.apply(to: UnsafeRawBufferPointer(text), into: text, nonce: nonce)
    let tag = Self.tag(of: UnsafeRawBufferPointer(text), header: header, key: tagKey)
    room.storeBytes(of: tag, toByteOffset: count, as: SIMD2<UInt64>.self)
    return true
  }

  package func open(
    _ sealed: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer,
    header: UnsafeRawBufferPointer, nonce: SealNonce
  ) -> Bool {
    let count = sealed.count - Seal.tagSize
    guard 0...Self.textCountMax ~= count, count <= room.count else { return false }
    let text = UnsafeRawBufferPointer(rebasing: sealed[..<count])
    let tag = Self.tag(of: text, header: header, key: key.tagKey(nonce))
    let difference = tag ^ sealed.loadUnaligned(fromByteOffset: count, as: SIMD2<UInt64>.self)
    guard difference[0] | difference[1] == 0 else { return false }
    key.apply(to: text, into: room, nonce: nonce)
    return true
  }

  /// RFC 8439 §2.8: the header and the text, each to whole blocks, and their lengths.
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

/// ChaCha20-Poly1305 (RFC 8439 §2.8) under one key. Any thread may use it at any time.
///
/// Neither function allocates memory, and neither takes a time that depends on what is secret.
package protocol SealingCipher: Sendable {
  /// Encrypts in place all of `room` but its last 16 octets, and puts the tag there.
  ///
  /// - Parameter header: authenticated, too, but not in `room`.
  /// - Returns: false if it could not: then `room` holds zeros, and must not be sent.
  func seal(
    _ room: UnsafeMutableRawBufferPointer, header: UnsafeRawBufferPointer, nonce: SealNonce
  ) -> Bool

  /// Decrypts `sealed`, which ends in its tag, into the front of `room`.
  ///
  /// - Parameter room: at least as large as `sealed` without its tag; they do not overlap.
  /// - Returns: false if not exactly these octets were sealed, with this header and nonce, under
  ///   this key: then nothing of them is in `room`.
  func open(
    _ sealed: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer,
    header: UnsafeRawBufferPointer, nonce: SealNonce
  ) -> Bool
}

/// What sealing adds to what is sealed.
package enum Seal {
  /// Octets of the tag.
  package static let tagSize = 16
}

/// Makes the cipher for a key: ours, or that of a library.
package typealias CipherMaker = @Sendable (SenderKey) -> any SealingCipher

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
