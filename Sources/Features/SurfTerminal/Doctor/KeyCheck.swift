import SurfCipher
import SurfNetwork
import SurfSeal
import SurfTimeline
import TerminalScreen

/// `doctor`'s checks of the key file and of the cipher. `KeyRemark` judges how the file is kept.
package enum KeyCheck {
  static let name = "key"

  package static func all(_ environment: [String: String]) -> [DoctorCheck] {
    guard let file = KeyFile(environment: environment) else { return [none] }
    do throws(KeyFileError) {
      guard let contents = try file.read() else { return [none] }
      return [check(contents, file)] + KeyRemark.all(contents, path: file.path).map(\.check)
        + [cipher(.shared)]
    } catch {
      return [DoctorCheck(name, isFine: false, escaped("\(error)"), fix: escaped(error.fix))]
    }
  }

  /// Empty if there are no keys or they cannot be read.
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
        fix: "apt-get install libssl3")
    }
  }
}

/// `doctor`'s count of the live apps sealed under each of our keys.
///
/// It suggests removing a key other than the first if no live app was heard with it during the 1.5
/// s for which the doctor listens.
struct SealingCheck {
  private let ring: [KeyFingerprint]

  /// - Parameter ring: the keys of this machine, in the order of the file.
  init(_ ring: [KeyFingerprint]) {
    self.ring = ring.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Empty without keys.
  func all(_ live: [Instance], _ counters: NetworkCounters) -> [DoctorCheck] {
    guard !ring.isEmpty else { return [] }
    let used = live.map { counters.sealedUnder[$0.session] }
    let parts = ring.map { key in "\(used.count { $0 == key }) under \(key)" }
    let idle = ring.dropFirst().filter { !used.contains($0) }.map(\.description)
    let fix =
      idle.isEmpty ? "" : "remove the line of \(idle.joined(separator: ", ")), if no app needs it"
    return [
      DoctorCheck(
        "sealed apps", isFine: true,
        (parts + ["\(used.count { $0 == nil }) open"]).joined(separator: ", "), fix: fix)
    ]
  }
}
