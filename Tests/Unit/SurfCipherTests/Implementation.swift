import SurfCipher
import SurfSeal
import Testing

/// The cipher under test.
enum Implementation: CaseIterable, Sendable {
  case swift, library

  /// Those of this machine.
  static let present = allCases.filter { $0 == .swift || cryptoLibrary != nil }
  static let cryptoLibrary = try? CryptoLibrary()

  func cipher(_ key: [UInt8]) throws -> any SealingCipher {
    let key = SenderKey(try #require(Octets32(key)))
    switch self {
    case .swift: return ChaChaPoly(key)
    case .library:
      let library = try #require(Self.cryptoLibrary)
      return try #require(CryptoLibraryCipher(key, library: library))
    }
  }
}
