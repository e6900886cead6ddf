import Glibc
import SurfBasics
package import SurfSeal
import SurfThreads

/// The file with the keys of an app or a viewer. An app reads it once, when it makes its
/// transceiver; a command, before it opens the network.
///
/// `STATESURF_KEY_FILE` names it; `none` turns sealing off. Otherwise it is
/// `$XDG_CONFIG_HOME/statesurf/key`, if that exists.
package struct KeyFile: Equatable, Sendable {
  package let path: String
  /// Whether somebody named the file. Then it must exist.
  package let isNamed: Bool

  package static let variable = "STATESURF_KEY_FILE"

  /// Nil if sealing is turned off, or there is no folder to look in.
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

  /// The keys in the file, and who may read it.
  package struct Contents: Sendable {
    package let ring: KeyRing
    /// The file's permissions.
    package let mode: mode_t

    /// Harmless, but they show that the file was on Windows.
    package let hasWindowsLineEnds: Bool

    /// Whether users other than its owner and group can read it.
    package var isReadableByAll: Bool { mode & S_IROTH != 0 }
    /// Whether users other than its owner can replace the key.
    package var isWritableByOthers: Bool { mode & (S_IWGRP | S_IWOTH) != 0 }
  }

  /// Nil if the file does not exist and nobody named it.
  package func read() throws(KeyFileError) -> Contents? {
    // Opening a FIFO must not block the program.
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

  /// Writes a key to a new file that only its owner can read. Creates its folder if necessary, and
  /// never replaces a file.
  package func write(_ key: GroupKey) throws(KeyFileError) {
    // If the folder cannot be made, `open` reports why.
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

/// Why a file's keys cannot be read or written. Nothing is sent then, because it would be unsealed.
package struct KeyFileError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Fault: Equatable, Sendable {
    /// With the system's error number.
    case unreadable(Int32)
    case unwritable(Int32)
    case folder
    /// A FIFO or a device.
    case noFile
    case contents(KeyRingError)
    /// The file that a new key would have replaced.
    case exists
  }

  package let path: String
  package let fault: Fault

  package var description: String {
    switch fault {
    case .unreadable(let number): "the key file \(path): \(String(cString: strerror(number)))"
    case .unwritable(let number):
      "the key file \(path) cannot be written: \(String(cString: strerror(number)))"
    case .folder: "the key file \(path) is a folder"
    case .noFile: "the key file \(path) is not a regular file"
    case .contents(let error): "the key file \(path): \(error)"
    case .exists: "a key file already exists: \(path)"
    }
  }

  package var fix: String {
    switch fault {
    case .unreadable(ENOENT):
      "create one with statesurf key new, or set \(KeyFile.variable)=none to seal nothing"
    case .unreadable: "let the user of this process read it"
    case .unwritable: "name a file elsewhere in \(KeyFile.variable)"
    case .folder: "name the file in it: \(KeyFile.variable)=\(path)/key"
    case .noFile: "name a file in \(KeyFile.variable)"
    case .contents(let error): error.fix
    case .exists: "statesurf key list; or, to change keys, statesurf key new - and put it there"
    }
  }
}
