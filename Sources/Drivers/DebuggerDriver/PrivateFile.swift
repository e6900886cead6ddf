import Glibc

/// A new file that no other user can read, in the folder of the person's session.
package enum PrivateFile {
  /// - Parameter suffix: of its name, such as `.json`.
  package static func write(_ bytes: [UInt8], suffix: String) throws(FileFault) -> String {
    var template = Array("\(folder)/statesurf-XXXXXX\(suffix)".utf8CString)
    // Made with mode 0600 (mkstemp(3)).
    let descriptor = mkstemps(&template, Int32(suffix.utf8.count))
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    guard descriptor >= 0 else { throw .cannotWrite(path) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let isWritten = write(bytes[...], to: descriptor)
    let fault = FileFault.cannotWrite(path)
    guard close(descriptor) == 0, isWritten else {
      unlink(path)
      throw fault
    }
    return path
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// XDG_RUNTIME_DIR if it is there (XDG Base Directory Specification), else TMPDIR or `/tmp`.
  private static var folder: String {
    let names = ["XDG_RUNTIME_DIR", "TMPDIR"]
    let folders: [String] = names.compactMap { name in
      getenv(name).map { String(cString: $0) }
    }
    return folders.first { $0.hasPrefix("/") && access($0, W_OK) == 0 } ?? "/tmp"
  }
}
