import SurfCipher
import SurfSeal
import TerminalScreen

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
