import Glibc

/// Names of files, for a path that a person types.
package enum FolderNames {
  /// More are no help.
  private static let countMax = 10_000

  /// Those in the folder of a path that begin as its last part does; folders end with `/`.
  package static func beginning(with typed: String) -> [String] {
    let shown = typed.lastIndex(of: "/").map { String(typed[...$0]) } ?? ""
    let folder = HomePath.expanded(shown.isEmpty ? "./" : shown)
    let beginning = typed.utf8.dropFirst(shown.utf8.count)
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < countMax, let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(validating: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let name, name != ".", name != "..", name.utf8.starts(with: beginning) else { continue }
      names.append(isFolder(folder + name) ? name + "/" : name)
    }
    return names
  }

  private static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }
}

/// A path in which `~` stands for the person's home, as shells have it.
enum HomePath {
  static func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = getenv("HOME") else { return path }
    return String(cString: home) + path.dropFirst()
  }
}
