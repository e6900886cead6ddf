package import SurfSeal
import SurfThreads

/// ChaCha20-Poly1305 by libcrypto. `Ciphers` makes one for each key.
package final class CryptoLibraryCipher: SealingCipher {
  private let library: CryptoLibrary
  /// One for each direction, so that the key need not be set again.
  private let contexts: Monitor<(sealing: CipherContext, opening: CipherContext)>

  /// Nil if the library has no memory.
  package init?(_ key: SenderKey, library: CryptoLibrary) {
    guard let sealing = CipherContext(key, .sealing, library),
      let opening = CipherContext(key, .opening, library)
    else { return nil }
    self.library = library
    contexts = Monitor((sealing, opening))
  }

  package func seal(
    _ room: UnsafeMutableRawBufferPointer, header: UnsafeRawBufferPointer, nonce: SealNonce
  ) -> Bool {
    let count = room.count - Seal.tagSize
    guard count >= 0 else {
      room.initializeMemory(as: UInt8.self, repeating: 0)
      return false
    }
    let text = UnsafeMutableRawBufferPointer(rebasing: room[..<count])
    let tag = UnsafeMutableRawBufferPointer(rebasing: room[count...])
    let isSealed = contexts.withLock { contexts in
      contexts.sealing.run(UnsafeRawBufferPointer(text), into: text, header, nonce, tag)
    }
    // Some of it may still be in the clear.
    if !isSealed { room.initializeMemory(as: UInt8.self, repeating: 0) }
    return isSealed
  }

  package func open(
    _ sealed: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer,
    header: UnsafeRawBufferPointer, nonce: SealNonce
  ) -> Bool {
    let count = sealed.count - Seal.tagSize
    guard count >= 0, count <= room.count else { return false }
    let text = UnsafeRawBufferPointer(rebasing: sealed[..<count])
    // The library's parameter is mutable, but it only reads the tag.
    let tag = UnsafeMutableRawBufferPointer(
      mutating: UnsafeRawBufferPointer(rebasing: sealed[count...]))
    let isOpen = contexts.withLock { contexts in
      contexts.opening.run(text, into: room, header, nonce, tag)
    }
    // The library decrypts before it checks the tag.
    if !isOpen {
      UnsafeMutableRawBufferPointer(rebasing: room[..<count])
        .initializeMemory(as: UInt8.self, repeating: 0)
    }
    return isOpen
  }
}

extension CryptoLibraryCipher: Secret {}
