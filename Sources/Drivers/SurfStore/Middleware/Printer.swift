internal import Glibc

/// Functions that print a text as lines, for `LoggerMiddleware` and `Reducer.logging`. Any thread
/// may call them; two texts never mix.
public enum Printer {
  /// Prints to standard error.
  @Sendable public static func standardError(_ text: String) {
    write(text, to: STDERR_FILENO)
  }

  /// Prints to the end of the file at `path`, which is made if there is none. Lines for which the
  /// disk has no room are lost.
  public static func file(at path: String) throws(PrinterError) -> @Sendable (String) -> Void {
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw .cannotOpen(path: path, errno: errno) }
    let owner = OpenFile(number: file)
    return { write($0, to: owner.number) }
  }

  /// In one call as a rule, so that texts of two threads do not mix.
  private static func write(_ text: String, to file: Int32) {
    var line = text + "\n"
    line.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Glibc.write(file, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }
}

/// Why a printer cannot be made.
public enum PrinterError: Error, Equatable, Sendable {
  /// The system does not open the file for writing; `errno` says why.
  case cannotOpen(path: String, errno: Int32)
}

/// Closes the file with its last user.
private final class OpenFile: Sendable {
  let number: Int32

  init(number: Int32) { self.number = number }

  deinit { close(number) }
}
