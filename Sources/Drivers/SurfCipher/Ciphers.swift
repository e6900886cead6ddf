package import SurfSeal

/// Who seals on this machine: libcrypto if it is there, and else Swift.
package enum Ciphers: Sendable {
  case library(CryptoLibrary)
  /// With the reason why the library does not.
  case swift(CryptoLibraryError)

  /// Loads the library, or learns that it is not there; do so once, and only with a key.
  package init(_ fileName: String = CryptoLibrary.fileName) {
    do {
      self = .library(try CryptoLibrary(fileName))
    } catch {
      self = .swift(error)
    }
  }

  /// Makes ciphers by whatever this machine has, which is looked up at the first one.
  package static let maker: CipherMaker = { shared.cipher(for: $0) }

  /// What this process seals with.
  package static let shared = Ciphers()

  /// Any thread may call it.
  package func cipher(for key: SenderKey) -> any SealingCipher {
    switch self {
    // What has no memory left for contexts still seals.
    case .library(let library): CryptoLibraryCipher(key, library: library) ?? ChaChaPoly(key)
    case .swift: ChaChaPoly(key)
    }
  }
}
