import Glibc
package import SurfSeal

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
      guard let folder = Self.folder(environment) else { return nil }
      (path, isNamed) = (folder + "/statesurf/key", false)
    }
  }

  package init(path: String) { (self.path, isNamed) = (path, true) }

  /// XDG Base Directory Specification: what is not absolute counts for nothing.
  private static func folder(_ environment: [String: String]) -> String? {
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") { return folder }
    return environment["HOME"].flatMap { $0.isEmpty ? nil : $0 + "/.config" }
  }

  /// What is in it, and who may read it.
  package struct Contents: Sendable {
    package let ring: KeyRing
    /// Whether others than its owner and group may read it.
    package let isReadableByAll: Bool
  }

  /// Nil if there is no file, and nobody named one.
  package func read() throws(KeyFileError) -> Contents? {
    // A FIFO must not hold the program up.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      let number = errno
      if number == ENOENT, !isNamed { return nil }
      throw KeyFileError(path: path, fault: .unreadable(number))
    }
    defer { close(file) }
    var facts = stat()
    guard fstat(file, &facts) == 0 else {
      throw KeyFileError(path: path, fault: .unreadable(errno))
    }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw KeyFileError(path: path, fault: .noFile) }
    let text = try octets(of: file)
    do throws(KeyRingError) {
      return Contents(
        ring: try KeyRing(parsing: text), isReadableByAll: facts.st_mode & S_IROTH != 0)
    } catch {
      throw KeyFileError(path: path, fault: .contents(error))
    }
  }

  /// One octet more than may be there, so that too many are told.
  private func octets(of file: Int32) throws(KeyFileError) -> [UInt8] {
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while text.count <= KeyRing.textSizeMax {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw KeyFileError(path: path, fault: .unreadable(errno)) }
      guard count > 0 else { break }
      text += buffer[..<count]
    }
    return text
  }
}

/// Why a file's keys cannot be had. Nothing is sent then: a fallback would be in the clear.
package struct KeyFileError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Fault: Equatable, Sendable {
    /// The system's reason.
    case unreadable(Int32)
    /// A folder, a FIFO, a device.
    case noFile
    case contents(KeyRingError)
  }

  package let path: String
  package let fault: Fault

  package var description: String {
    switch fault {
    case .unreadable(let number): "the key file \(path): \(String(cString: strerror(number)))"
    case .noFile: "the key file \(path) is no file"
    case .contents(let error): "the key file \(path): \(error)"
    }
  }

  /// What to do about it.
  package var mend: String {
    switch fault {
    case .unreadable(ENOENT):
      "make one: statesurf key new; or say \(KeyFile.variable)=none to seal nothing"
    case .unreadable: "let the user of this process read it"
    case .noFile: "name a file in \(KeyFile.variable)"
    case .contents(let error): error.mend
    }
  }
}
