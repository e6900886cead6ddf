import Glibc
import SurfBasics
import SurfThreads

/// Where a person's settings are kept (XDG Base Directory Specification).
struct SettingsPlace {
  let path: String

  /// Nil if the environment names no home.
  init?(_ environment: [String: String]) {
    guard let folder = environment.folder("XDG_CONFIG_HOME", home: ".config") else { return nil }
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
    guard let bytes = Self.readSome(descriptor) else { return unreadable(systemError()) }
    guard bytes.count <= SettingsFile.sizeMax else { return unreadable("it is too large") }
    // Written anew, it would lose what cannot be read.
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return unreadable("it is not in UTF-8")
    }
    return SettingsFile(text, path: path)
  }

  /// All of a file that is not too large, and enough of one that is; nil if it cannot be read. Some
  /// file systems give less at once than there is.
  private static func readSome(_ descriptor: Int32) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while bytes.count <= SettingsFile.sizeMax {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return nil }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  private func unreadable(_ reason: String) -> SettingsFile {
    SettingsFile(path: path, unreadable: reason)
  }
}
