import SurfCipher
import SurfNetwork

/// The keys with which a command looks at apps.
enum ViewerKeys {
  /// Nil if there are none.
  static func sealing(_ environment: [String: String]) throws(Failure) -> Sealing? {
    do throws(KeyFileError) {
      let contents = try KeyFile(environment: environment)?.read()
      return contents.map { Sealing($0.ring, makeCipher: Ciphers.maker) }
    } catch {
      throw failure(error)
    }
  }

  /// Whether there are none, or all of them can be read.
  static func areUsable(_ environment: [String: String]) -> Bool {
    do throws(Failure) {
      _ = try sealing(environment)
      return true
    } catch {
      return false
    }
  }

  static func failure(_ error: KeyFileError) -> Failure {
    Failure("\(error)", meaning: "Nothing was sent.", advice: error.mend)
  }
}
