import SurfCipher
import SurfSeal
import Testing

/// Which implementation a machine has, and what it says of the other.
@Suite struct CiphersTests {
  @Test func `without the library Swift seals, and the reason is told`() throws {
    guard case .swift(let error) = Ciphers("libnone.so.3") else {
      Issue.record("there is no such library")
      return
    }
    #expect(error.description.contains("libnone.so.3"))
    let key = SenderKey(try #require(Octets32(0..<32)))
    #expect(Ciphers.swift(error).cipher(for: key) is ChaChaPoly)
  }

  @Test func `a library without the functions is told by the first that it lacks`() {
    #expect(throws: CryptoLibraryError.noFunction("EVP_CIPHER_CTX_new")) {
      try CryptoLibrary("libm.so.6")
    }
  }

  private static let library: CryptoLibrary? =
    if case .library(let library) = Ciphers() { library } else { nil }

  @Test(.enabled(if: library != nil, "libcrypto is not installed"))
  func `with the library its version is known`() throws {
    let library = try #require(Self.library)
    #expect(library.version.hasPrefix("OpenSSL 3"))
    let key = SenderKey(try #require(Octets32(0..<32)))
    #expect(Ciphers.library(library).cipher(for: key) is CryptoLibraryCipher)
  }

  @Test func `random octets are many and differ`() throws {
    for count in [0, 1, 8, 32, 256] { #expect(try Randomness.octets(count).count == count) }
    var drawn: Set<[UInt8]> = []
    for _ in 0..<100 { drawn.insert(try Randomness.octets(32)) }
    #expect(drawn.count == 100)
  }
}
