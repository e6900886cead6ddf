import Glibc
import SurfBasics
import SurfThreads

/// The place of the user's settings file (XDG Base Directory Specification).
struct SettingsPlace {
  let path: String

  /// Nil if the environment names no home directory.
  init?(_ environment: [String: String]) {
    guard let folder = environment.folder("XDG_CONFIG_HOME", home: ".config") else { return nil }
    path = folder + "/statesurf/settings"
  }

  /// Nil if there is no file. A file that cannot be read sets nothing and has a remark that says
  /// so; the command runs all the same.
  func read() -> SettingsFile? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      return errno == ENOENT || errno == ENOTDIR ? nil : unreadable(systemError())
    }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
      return unreadable("it is not a regular file")
    }
    guard let bytes = FileOctets.read(from: descriptor, sizeMax: SettingsFile.sizeMax) else {
      return unreadable(systemError())
    }
    guard bytes.count <= SettingsFile.sizeMax else { return unreadable("it is too large") }
    // Rewriting the file would lose the bytes that are not text.
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return unreadable("it is not in UTF-8")
    }
    return SettingsFile(text, path: path)
  }

  private func unreadable(_ reason: String) -> SettingsFile {
    SettingsFile(path: path, unreadable: reason)
  }
}
