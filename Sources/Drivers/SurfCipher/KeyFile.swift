import Glibc
import SurfBasics
package import SurfSeal
import SurfThreads

/// The file with the keys of a process.
///
/// `STATESURF_KEY_FILE` names it; `none` there says that nothing is to be sealed. Otherwise it is
/// `$XDG_CONFIG_HOME/statesurf/key`, if that exists.
package struct KeyFile: Equatable, Sendable {
  package let path: String
  /// Whether somebody named it: then it must be there.
  package let isNamed: Bool

  package static let variable = "STATESURF_KEY_FILE"

  /// Nil if no key is wanted.
  package init?(environment: [String: String]) {
    switch environment[Self.variable] {
    case "none": return nil
    case let named? where !named.isEmpty: (path, isNamed) = (named, true)
    default:
      guard let folder = environment.folder("XDG_CONFIG_HOME", home: ".config") else { return nil }
      (path, isNamed) = (folder + "/statesurf/key", false)
    }
  }

  package init(path: String) { (self.path, isNamed) = (path, true) }

  /// What is in it, and who may read it.
  package struct Contents: Sendable {
    package let ring: KeyRing
    /// The file's mode: who may read and write it.
    package let mode: mode_t

    /// Which do no harm, but tell where the file was.
    package let hasWindowsLineEnds: Bool

    /// Whether others than its owner and group may read it.
    package var isReadableByAll: Bool { mode & S_IROTH != 0 }
    /// Whether others than its owner may put another key there.
    package var isWritableByOthers: Bool { mode & (S_IWGRP | S_IWOTH) != 0 }
  }

  /// Nil if there is no file, and nobody named one.
  package func read() throws(KeyFileError) -> Contents? {
    // A FIFO must not hold the program up.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      let number = errno
      if number == ENOENT || number == ENOTDIR, !isNamed { return nil }
      throw KeyFileError(path: path, fault: .unreadable(number))
    }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0 else {
      throw KeyFileError(path: path, fault: .unreadable(errno))
    }
    switch facts.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw KeyFileError(path: path, fault: .folder)
    default: throw KeyFileError(path: path, fault: .noFile)
    }
    guard let text = FileOctets.read(from: file, sizeMax: KeyRing.textSizeMax) else {
      throw KeyFileError(path: path, fault: .unreadable(errno))
    }
    do throws(KeyRingError) {
      return Contents(
        ring: try KeyRing(parsing: text), mode: facts.st_mode & 0o7777,
        hasWindowsLineEnds: text.contains(UInt8(ascii: "\r")))
    } catch {
      throw KeyFileError(path: path, fault: .contents(error))
    }
  }

  /// Writes a key that nobody but the file's owner may read; makes its folder if need be, and never
  /// replaces a file.
  package func write(_ key: GroupKey) throws(KeyFileError) {
    // If making the folder fails, `open` reports why.
    if let end = path.lastIndex(of: "/") { _ = FileOctets.makeFolder(path[..<end]) }
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw KeyFileError(path: path, fault: errno == EEXIST ? .exists : .unwritable(errno))
    }
    defer { close(file) }
    let line = Array((key.text + "\n").utf8)
    guard FileOctets.write(line, to: file), fsync(file) == 0 else {
      let number = errno
      unlink(path)
      throw KeyFileError(path: path, fault: .unwritable(number))
    }
  }
}
