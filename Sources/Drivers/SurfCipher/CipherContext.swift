package import SurfSeal
import SurfThreads

/// libcrypto's memory for one key and one direction, for `CryptoLibraryCipher`. One thread at a
/// time may use it.
// Unchecked: it passes between threads, and a monitor guards it.
final class CipherContext: @unchecked Sendable {
  enum Direction { case sealing, opening }

  private let library: CryptoLibrary
  private let direction: Direction
  private let context: OpaquePointer
  /// EVP_CTRL_AEAD_GET_TAG and EVP_CTRL_AEAD_SET_TAG of `openssl/evp.h`.
  private static let getTag: CInt = 0x10
  private static let setTag: CInt = 0x11

  /// Nil if there is no memory.
  init?(_ key: SenderKey, _ direction: Direction, _ library: CryptoLibrary) {
    guard let context = library.makeContext() else { return nil }
    (self.library, self.direction, self.context) = (library, direction, context)
    let begin = direction == .sealing ? library.beginSealing : library.beginOpening
    let isReady = key.octets.octets.withUnsafeBufferPointer { key in
      begin(context, library.algorithm, key.baseAddress, nil, nil) == 1
    }
    guard isReady else { return nil }
  }

  // The library wipes what it frees.
  deinit { library.freeContext(context) }

  /// Seals a text and writes its tag, or opens it and checks the tag. False if anything fails.
  func run(
    _ text: UnsafeRawBufferPointer, into room: UnsafeMutableRawBufferPointer,
    _ header: UnsafeRawBufferPointer, _ nonce: SealNonce, _ tag: UnsafeMutableRawBufferPointer
  ) -> Bool {
    switch direction {
    case .sealing:
      begin(library.beginSealing, nonce) && add(library.addSealing, header, to: nil)
        && add(library.addSealing, text, to: room) && finish(library.finishSealing)
        && transfer(Self.getTag, tag)
    case .opening:
      begin(library.beginOpening, nonce) && transfer(Self.setTag, tag)
        && add(library.addOpening, header, to: nil) && add(library.addOpening, text, to: room)
        && finish(library.finishOpening)
    }
  }

  /// Sets a new nonce, and keeps the key.
  private func begin(_ function: CryptoLibrary.Begin, _ nonce: SealNonce) -> Bool {
    nonce.withUnsafeBytes { bytes in
      function(
        context, nil, nil, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), nil) == 1
    }
  }

  /// - Parameter room: nil for octets that are only authenticated.
  private func add(
    _ function: CryptoLibrary.Update, _ bytes: UnsafeRawBufferPointer,
    to room: UnsafeMutableRawBufferPointer?
  ) -> Bool {
    // The library would take zero octets for the end.
    guard !bytes.isEmpty else { return true }
    guard let count = CInt(exactly: bytes.count) else { return false }
    var written: CInt = 0
    return function(
      context, room?.baseAddress?.assumingMemoryBound(to: UInt8.self), &written,
      bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count) == 1
  }

  private func finish(_ function: CryptoLibrary.Finish) -> Bool {
    var written: CInt = 0
    var nothing: UInt8 = 0
    return function(context, &nothing, &written) == 1
  }

  private func transfer(_ command: CInt, _ tag: UnsafeMutableRawBufferPointer) -> Bool {
    library.control(context, command, CInt(tag.count), tag.baseAddress) == 1
  }
}

/// ChaCha20-Poly1305 by libcrypto. `Ciphers` makes one for each key.
package final class CryptoLibraryCipher: SealingCipher {
  /// One for each direction, so that the key need not be set again.
  private let contexts: Monitor<(sealing: CipherContext, opening: CipherContext)>

  /// Nil if the library has no memory.
  package init?(_ key: SenderKey, library: CryptoLibrary) {
    guard let sealing = CipherContext(key, .sealing, library),
      let opening = CipherContext(key, .opening, library)
    else { return nil }
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
