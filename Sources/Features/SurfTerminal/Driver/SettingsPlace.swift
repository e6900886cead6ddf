import Glibc

/// Where a person's settings are kept (XDG Base Directory Specification).
struct SettingsPlace {
  let path: String

  /// Nil if the environment names no home.
  init?(_ environment: [String: String]) {
    func absolute(_ name: String) -> String? {
      environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    guard let folder = absolute("XDG_CONFIG_HOME") ?? absolute("HOME").map({ $0 + "/.config" })
    else { return nil }
    path = folder + "/statesurf/settings"
  }

  /// Nil if there is no such file. Of one that cannot be read nothing counts, and a remark says so:
  /// a command does its work all the same.
  func read() -> SettingsFile? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      return errno == ENOENT || errno == ENOTDIR ? nil : unreadable(systemError())
    }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      return unreadable("it is no file")
    }
    var bytes = [UInt8](repeating: 0, count: SettingsFile.sizeMax + 1)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { return unreadable(systemError()) }
    guard count <= SettingsFile.sizeMax else { return unreadable("it is too large") }
    // Written anew, it would lose what cannot be read.
    guard let text = String(validating: bytes[..<count], as: UTF8.self) else {
      return unreadable("it is not in UTF-8")
    }
    return SettingsFile(text, path: path)
  }

  private func unreadable(_ reason: String) -> SettingsFile {
    SettingsFile(path: path, unreadable: reason)
  }
}
