import SurfCipher
import SurfNetwork
import SurfSeal
import SurfTimeline
import TerminalScreen

/// `doctor`'s checks of the key file and of the cipher.
package enum KeyCheck {
  static let name = "key"

  package static func all(_ environment: [String: String]) -> [DoctorCheck] {
    guard let file = KeyFile(environment: environment) else { return [none] }
    do throws(KeyFileError) {
      guard let contents = try file.read() else { return [none] }
      return [check(contents, file)] + contents.remarks(path: file.path) + [cipher(.shared)]
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
/// The doctor listens for 1.5 s. For each key but the first, it suggests removing the key if it
/// hears no live app with it.
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

extension KeyFile.Contents {
  /// Flaws that do not keep the keys from being used.
  fileprivate func remarks(path: String) -> [DoctorCheck] {
    var checks: [DoctorCheck] = []
    func add(isFine: Bool = true, _ finding: String, _ fix: String) {
      checks.append(
        DoctorCheck(KeyCheck.name, isFine: isFine, escaped(finding), fix: escaped(fix)))
    }
    if isReadableByAll {
      // Clusters often mount secrets this way.
      add(
        "all users of this machine may read it",
        "chmod 600 \(path), or in a cluster defaultMode: 0440")
    }
    if isWritableByOthers {
      add(isFine: false, "others may change it, and so choose the key", "chmod 600 \(path)")
    }
    if !ring.sealingKey.drives {
      add(
        "a watch key seals: commands here move nothing, and nobody moves the apps that start here",
        "to move apps, make a drive key the first line; whoever made it has it")
    }
    for key in ring.needlessWatchKeys {
      add(
        "\(key) opens nothing that its drive key does not open",
        "remove the line of the watch key")
    }
    for id in ring.ambiguousIDs {
      add(
        "more than one key has the id \(id), by chance: all of them are tried",
        "nothing, or put another key in the place of one: statesurf key new -")
    }
    if hasWindowsLineEnds {
      add("it has Windows's line ends, which do no harm here", "sed -i 's/\\r$//' \(path)")
    }
    return checks
  }
}
