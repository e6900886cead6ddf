import SurfSeal
import SurfWire

/// The keys of an end, and what seals under them.
package struct Sealing: Sendable {
  package let ring: KeyRing
  package let makeCipher: CipherMaker

  package init(_ ring: KeyRing, makeCipher: @escaping CipherMaker) {
    (self.ring, self.makeCipher) = (ring, makeCipher)
  }

  func appSeal(session: SessionID) -> AppSeal {
    var random = SystemRandomNumberGenerator()
    return AppSeal(
      ring.sealingKey, session: session, sender: SenderID(rawValue: random.next()),
      makeCipher: makeCipher)
  }

  package func viewerSeal(_ viewer: ViewerID) -> ViewerSeal {
    ViewerSeal(ring, viewer: viewer, makeCipher: makeCipher)
  }
}
