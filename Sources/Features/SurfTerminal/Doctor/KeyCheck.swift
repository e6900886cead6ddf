import SurfCipher
import SurfSeal
import TerminalScreen

/// Whether there is a key, whether it is kept well, and what seals with it.
package enum KeyCheck {
  static let name = "key"

  package static func all(_ environment: [String: String]) -> [DoctorCheck] {
    guard let file = KeyFile(environment: environment) else { return [none] }
    do throws(KeyFileError) {
      guard let contents = try file.read() else { return [none] }
      return [check(contents, file)] + KeyRemark.all(contents, path: file.path).map(\.check)
        + [cipher(.shared)]
    } catch {
      return [DoctorCheck(name, isFine: false, escaped("\(error)"), mend: escaped(error.mend))]
    }
  }

  /// Of the keys that can be read.
  static func fingerprints(_ environment: [String: String]) -> [KeyFingerprint] {
    do throws(KeyFileError) {
      return try KeyFile(environment: environment)?.read()?.ring.keys.map(\.fingerprint) ?? []
    } catch {
      return []
    }
  }

  private static let none = DoctorCheck(name, isFine: true, "none: nothing is sealed")

  private static func check(_ contents: KeyFile.Contents, _ file: KeyFile) -> DoctorCheck {
    let mode = "mode 0" + String(contents.mode, radix: 8)
    return DoctorCheck(
      name, isFine: true, "\(contents.ring), in \(escaped(file.path)), \(mode)")
  }

  package static func cipher(_ ciphers: Ciphers) -> DoctorCheck {
    switch ciphers {
    case .library(let library): DoctorCheck("cipher", isFine: true, library.version)
    case .swift(let error):
      DoctorCheck(
        "cipher", isFine: true, "our own, which is slower: \(error)",
        mend: "apt-get install libssl3")
    }
  }
}
