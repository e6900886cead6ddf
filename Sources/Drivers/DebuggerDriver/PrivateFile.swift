import Glibc
import SurfThreads

/// Creates a file that no other user can read: for states in an editor, and copies that are too
/// large for the clipboard.
package enum PrivateFile {
  /// - Parameter suffix: the end of its name, such as `.json`.
  package static func write(_ bytes: [UInt8], suffix: String) throws(FileFault) -> String {
    var template = Array("\(folder)/statesurf-XXXXXX\(suffix)".utf8CString)
    // mkstemps(3) creates it with mode 0600.
    let descriptor = mkstemps(&template, Int32(suffix.utf8.count))
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard descriptor >= 0 else { throw .cannotWrite(path) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let isWritten = FileOctets.write(bytes, to: descriptor)
    let fault = FileFault.cannotWrite(path)
    guard close(descriptor) == 0, isWritten else {
      unlink(path)
      throw fault
    }
    return path
  }

  /// XDG_RUNTIME_DIR if usable (XDG Base Directory Specification), else TMPDIR or `/tmp`.
  private static var folder: String {
    let names = ["XDG_RUNTIME_DIR", "TMPDIR"]
    let folders: [String] = names.compactMap { name in
      getenv(name).map { String(cString: $0) }
    }
    return folders.first { $0.hasPrefix("/") && access($0, W_OK) == 0 } ?? "/tmp"
  }
}
