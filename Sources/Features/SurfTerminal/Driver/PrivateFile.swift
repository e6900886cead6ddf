import Foundation

/// A new file that no other user can read, in the folder of the person's session.
package enum PrivateFile {
  /// - Parameter suffix: of its name, such as `.json`.
  package static func write(_ bytes: [UInt8], suffix: String) throws(Failure) -> String {
    var template = Array("\(folder)/statesurf-XXXXXX\(suffix)".utf8CString)
    // Made with mode 0600 (mkstemp(3)).
    let descriptor = mkstemps(&template, Int32(suffix.utf8.count))
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard descriptor >= 0 else { throw StateFile.cannot("write", path) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let isWritten = FileSink(descriptor).write(bytes)
    guard close(descriptor) == 0, isWritten else {
      let failure = StateFile.cannot("write", path)
      unlink(path)
      throw failure
    }
    return path
  }

  /// XDG_RUNTIME_DIR if it is there (XDG Base Directory Specification), else TMPDIR or `/tmp`.
  private static var folder: String {
    let environment = ProcessInfo.processInfo.environment
    let folders = [environment["XDG_RUNTIME_DIR"], environment["TMPDIR"]].compactMap(\.self)
    return folders.first { $0.hasPrefix("/") && access($0, W_OK) == 0 } ?? "/tmp"
  }
}
