import SurfCipher
import SurfNetwork

/// The keys that commands open sealed apps with.
enum ViewerKeys {
  /// Nil if there are no keys.
  static func sealing(_ environment: [String: String]) throws(Failure) -> Sealing? {
    do throws(KeyFileError) {
      let contents = try KeyFile(environment: environment)?.read()
      return contents.map { Sealing($0.ring, makeCipher: Ciphers.maker) }
    } catch {
      throw failure(error)
    }
  }

  /// Whether the key file can be read or does not exist.
  static func areUsable(_ environment: [String: String]) -> Bool {
    do throws(Failure) {
      _ = try sealing(environment)
      return true
    } catch {
      return false
    }
  }

  static func failure(_ error: KeyFileError) -> Failure {
    Failure("\(error)", meaning: "Nothing was sent.", advice: error.fix)
  }
}
