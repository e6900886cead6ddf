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
