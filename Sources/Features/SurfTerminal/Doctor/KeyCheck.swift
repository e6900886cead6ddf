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

/// A flaw of a key file whose keys can be used all the same, for `KeyCheck` and `doctor`.
enum KeyRemark: Equatable {
  /// Reported, but fine: clusters often mount secrets this way.
  case allMayRead(path: String)
  /// Not fine: somebody else may choose the key.
  case othersMayWrite(path: String)
  /// The sealing key is a watch key.
  case onlyWatches
  case needlessWatchKey(GroupKey)
  case ambiguousID(KeyID)
  case windowsLineEnds(path: String)

  static func all(_ contents: KeyFile.Contents, path: String) -> [KeyRemark] {
    var remarks: [KeyRemark] = []
    if contents.isReadableByAll { remarks.append(.allMayRead(path: path)) }
    if contents.isWritableByOthers { remarks.append(.othersMayWrite(path: path)) }
    if !contents.ring.sealingKey.drives { remarks.append(.onlyWatches) }
    remarks += contents.ring.needlessWatchKeys.map { .needlessWatchKey($0) }
    remarks += contents.ring.ambiguousIDs.map { .ambiguousID($0) }
    if contents.hasWindowsLineEnds { remarks.append(.windowsLineEnds(path: path)) }
    return remarks
  }

  var check: DoctorCheck {
    DoctorCheck(KeyCheck.name, isFine: isFine, escaped(finding), fix: escaped(fix))
  }

  private var isFine: Bool {
    if case .othersMayWrite = self { false } else { true }
  }

  private var finding: String {
    switch self {
    case .allMayRead: "all users of this machine may read it"
    case .othersMayWrite: "others may change it, and so choose the key"
    case .onlyWatches:
      "a watch key seals: commands here move nothing, and nobody moves the apps that start here"
    case .needlessWatchKey(let key): "\(key) opens nothing that its drive key does not open"
    case .ambiguousID(let id):
      "more than one key has the id \(id), by chance: all of them are tried"
    case .windowsLineEnds: "it has Windows's line ends, which do no harm here"
    }
  }

  private var fix: String {
    switch self {
    case .allMayRead(let path): "chmod 600 \(path), or in a cluster defaultMode: 0440"
    case .othersMayWrite(let path): "chmod 600 \(path)"
    case .onlyWatches: "to move apps, make a drive key the first line; whoever made it has it"
    case .needlessWatchKey: "remove the line of the watch key"
    case .ambiguousID: "nothing, or put another key in the place of one: statesurf key new -"
    case .windowsLineEnds(let path): "sed -i 's/\\r$//' \(path)"
    }
  }
}
