import Glibc
package import SurfSeal

/// The functions of OpenSSL's libcrypto, for `CryptoLibraryCipher`; loaded when a key is first
/// used.
///
/// Not linked: the build does not need it, a program starts without it, and a program without a key
/// never loads it. Once loaded, it stays.
package struct CryptoLibrary: Sendable {
  package static let fileName = "libcrypto.so.3"

  typealias Fetch =
    @convention(c) (
      OpaquePointer?, UnsafePointer<CChar>, UnsafePointer<CChar>?
    ) -> OpaquePointer?
  typealias MakeContext = @convention(c) () -> OpaquePointer?
  typealias FreeContext = @convention(c) (OpaquePointer?) -> Void
  typealias Control =
    @convention(c) (
      OpaquePointer, CInt, CInt, UnsafeMutableRawPointer?
    ) -> CInt
  typealias Begin =
    @convention(c) (
      OpaquePointer, OpaquePointer?, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?, OpaquePointer?
    ) -> CInt
  typealias Update =
    @convention(c) (
      OpaquePointer, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<CInt>,
      UnsafePointer<UInt8>?,
      CInt
    ) -> CInt
  typealias Finish =
    @convention(c) (
      OpaquePointer, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<CInt>
    ) -> CInt
  typealias Version = @convention(c) (CInt) -> UnsafePointer<CChar>?

  let makeContext: MakeContext
  let freeContext: FreeContext
  let control: Control
  let beginSealing: Begin
  let addSealing: Update
  let finishSealing: Finish
  let beginOpening: Begin
  let addOpening: Update
  let finishOpening: Finish
  /// ChaCha20-Poly1305, fetched once, because the library's lookup by name is slow.
  // Safe because the library only reads it, and nobody frees it.
  nonisolated(unsafe) let algorithm: OpaquePointer
  /// The library's version, such as `OpenSSL 3.0.19 27 Jan 2026`.
  package let version: String

  /// Loads the library, which may read files and run its dependencies' initializers.
  package init(_ fileName: String = Self.fileName) throws(CryptoLibraryError) {
    guard let handle = dlopen(fileName, RTLD_NOW | RTLD_LOCAL) else {
      throw .notLoaded(dlerror().map { String(cString: $0) } ?? fileName)
    }
    makeContext = try Self.function("EVP_CIPHER_CTX_new", in: handle)
    freeContext = try Self.function("EVP_CIPHER_CTX_free", in: handle)
    control = try Self.function("EVP_CIPHER_CTX_ctrl", in: handle)
    beginSealing = try Self.function("EVP_EncryptInit_ex2", in: handle)
    addSealing = try Self.function("EVP_EncryptUpdate", in: handle)
    finishSealing = try Self.function("EVP_EncryptFinal_ex", in: handle)
    beginOpening = try Self.function("EVP_DecryptInit_ex2", in: handle)
    addOpening = try Self.function("EVP_DecryptUpdate", in: handle)
    finishOpening = try Self.function("EVP_DecryptFinal_ex", in: handle)
    let versionText: Version = try Self.function("OpenSSL_version", in: handle)
    version = versionText(0).map { String(cString: $0) } ?? ""
    let fetch: Fetch = try Self.function("EVP_CIPHER_fetch", in: handle)
    guard let algorithm = fetch(nil, "ChaCha20-Poly1305", nil) else {
      throw .noAlgorithm(version: version)
    }
    self.algorithm = algorithm
  }

  private static func function<Function>(
    _ name: String, in handle: UnsafeMutableRawPointer
  ) throws(CryptoLibraryError) -> Function {
    guard let symbol = dlsym(handle, name) else { throw .noFunction(name) }
    return unsafeBitCast(symbol, to: Function.self)
  }
}

/// Why libcrypto does not seal. Then Swift does, and takes twice as long.
package enum CryptoLibraryError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The system's reason.
  case notLoaded(String)
  /// The library is older than OpenSSL 3.
  case noFunction(String)
  /// The library was built or configured without ChaCha20-Poly1305.
  case noAlgorithm(version: String)

  package var description: String {
    switch self {
    case .notLoaded(let reason): reason
    case .noFunction(let name): "\(CryptoLibrary.fileName) has no \(name)"
    case .noAlgorithm(let version): "\(version) has no ChaCha20-Poly1305"
    }
  }
}

/// The code that seals on this machine: libcrypto if it is there, or else Swift.
package enum Ciphers: Sendable {
  case library(CryptoLibrary)
  /// With the reason why the library does not.
  case swift(CryptoLibraryError)

  /// Loads the library, or finds out why it cannot. Call it once, and only with a key.
  package init(_ fileName: String = CryptoLibrary.fileName) {
    do {
      self = .library(try CryptoLibrary(fileName))
    } catch {
      self = .swift(error)
    }
  }

  /// Makes ciphers with `shared`, which loads the library at the first one.
  package static let maker: CipherMaker = { shared.cipher(for: $0) }

  package static let shared = Ciphers()

  package func cipher(for key: SenderKey) -> any SealingCipher {
    switch self {
    // The library may have no memory for a context. Swift needs none.
    case .library(let library): CryptoLibraryCipher(key, library: library) ?? ChaChaPoly(key)
    case .swift: ChaChaPoly(key)
    }
  }
}
