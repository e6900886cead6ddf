import SurfCipher
import SurfSeal
import TerminalScreen

/// Whether there is a key, whether it is kept well, and what seals with it.
package enum KeyCheck {
  private static let name = "key"

  package static func all(_ environment: [String: String]) -> [DoctorCheck] {
    guard let file = KeyFile(environment: environment) else { return [none] }
    do throws(KeyFileError) {
      guard let contents = try file.read() else { return [none] }
      return [check(contents, file), cipher(.shared)]
    } catch {
      return [DoctorCheck(name, isFine: false, "\(error)", mend: error.mend)]
    }
  }

  private static let none = DoctorCheck(name, isFine: true, "none: nothing is sealed")

  private static func check(_ contents: KeyFile.Contents, _ file: KeyFile) -> DoctorCheck {
    let mode = "mode 0" + String(contents.mode, radix: 8)
    var finding = "\(contents.ring), in \(escaped(file.path)), \(mode)"
    let ids = contents.ring.sharedIDs.map(\.description)
    if !ids.isEmpty { finding += "; more than one of id \(ids.joined(separator: ", "))" }
    // A cluster's secrets are often mounted so: a warning, and no fault.
    guard contents.isReadableByAll else { return DoctorCheck(name, isFine: true, finding) }
    return DoctorCheck(
      name, isFine: true, finding + ": all users of this machine may read it",
      mend: "chmod 600 \(file.path)")
  }

  package static func cipher(_ ciphers: Ciphers) -> DoctorCheck {
    switch ciphers {
    case .library(let library): DoctorCheck("cipher", isFine: true, library.version)
    case .swift(let error):
      DoctorCheck("cipher", isFine: true, "our own, which is slower: \(error)")
    }
  }
}
