import Foundation

/// What a small terminal program needs: to speak, to know whom to, and to end in good order.
package enum Terminal {
  /// Whether a person reads along; if not, it is a pipe or a file, and gets plain lines.
  package static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  /// Whether the output can be redrawn in place.
  package static var canRedraw: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Writes at once, to any output; if the reader has gone, the program ends.
  package static func write(_ text: String) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      exit(1)
    }
  }

  /// `text` without control characters: what came from elsewhere must not steer the terminal.
  package static func printable(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { !isControl($0) }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control
  }

  /// Writes a line at once.
  package static func say(_ line: String) { write(line + "\n") }

  /// Says what is wrong, and ends as a program that was misused does (sysexits.h: EX_USAGE).
  package static func misused(_ program: String, _ message: String) -> Never {
    FileHandle.standardError.write(
      Data("\(program): \(message)\nTry: \(program) --help\n".utf8))
    exit(64)
  }

  /// Says why the program cannot go on, and ends.
  package static func failed(_ program: String, _ message: String) -> Never {
    FileHandle.standardError.write(Data("\(program): \(message)\n".utf8))
    exit(1)
  }

  /// Calls `body` for each line of the input until it returns false, or until the input ends.
  package static func forEachLine(prompt: String, _ body: (String) -> Bool) {
    while true {
      if isInteractive { write(prompt) }
      guard let line = readLine() else { break }
      guard body(line) else { return }
    }
    if isInteractive { write("\n") }
  }
}
