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
