import Glibc
import JSONTree
import ReduxDevTools
import SurfControl
import SurfThreads
import SurfViewer
import SurfWire

/// Reads and writes the files of commands and of the debugger, whose settings are a file, too.
/// Writes exactly the bytes, except that a terminal gets escapes.
package enum StateFile {
  /// Reads a state from a file, or from standard input for nil. Throws if it is empty: that is not
  /// a state, but the output of a failed command.
  package static func read(_ path: String?) throws(Failure) -> Content {
    let source = path.map { "'\($0)'" } ?? "standard input"
    guard let content = Content(state: try bytes(of: path)) else {
      throw Failure(
        "\(source) is empty",
        meaning: "That is not a state, so nothing was sent. "
          + "To go back to the beginning: statesurf jump initial")
    }
    if let json = JSON(ifValid: content.bytes), ForeignHistory.isLifted(json) {
      throw Failure(
        "\(source) is an exported history, and not a state", meaning: "Nothing was sent.",
        advice: "statesurf import \(path ?? "-")")
    }
    return content
  }

  /// The last component of the path, for display.
  static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Reads a file, or standard input for nil. The bytes may be empty.
  static func bytes(of path: String?) throws(Failure) -> [UInt8] {
    guard let path else { return try readAll(STDIN_FILENO, name: "standard input") }
    return try readFile(path)
  }

  /// Writes to whatever the path leads to. A regular file is replaced atomically, so that no reader
  /// ever sees half a state.
  package static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    switch try FileDestination(path) {
    case .file(let place, let facts):
      try PartFile(for: place, like: facts).replace(with: bytes)
    case .descriptor(let number):
      guard ForeignBytes.write(bytes, to: number) else { throw cannot("write", path) }
    case .stream: try stream(bytes, to: path)
    }
  }

  private static func stream(_ bytes: [UInt8], to path: String) throws(Failure) {
    let descriptor = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { throw cannot("write", path) }
    let failure = ForeignBytes.write(bytes, to: descriptor) ? nil : cannot("write", path)
    guard close(descriptor) == 0 || failure != nil else { throw cannot("write", path) }
    if let failure { throw failure }
  }

  private static func readFile(_ path: String) throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw cannot("read", path) }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw cannot("read", path) }
    if facts.st_mode & S_IFMT == S_IFDIR { throw cannot("read", path, "it is a directory") }
    if facts.st_size > Limits.contentSizeMax { throw tooLarge(path, Int(facts.st_size)) }
    return try readAll(descriptor, name: path)
  }

  private static func readAll(_ descriptor: Int32, name: String) throws(Failure) -> [UInt8] {
    guard let bytes = FileOctets.read(from: descriptor, sizeMax: Limits.contentSizeMax) else {
      throw cannot("read", name)
    }
    if bytes.count > Limits.contentSizeMax { throw tooLarge(name) }
    return bytes
  }

  static func cannot(
    _ verb: String, _ path: String, _ reason: String = systemError()
  ) -> Failure {
    Failure("cannot \(verb) '\(path)': \(reason)")
  }

  /// - Parameter size: nil for a stream, which is not read to its end.
  private static func tooLarge(_ path: String, _ size: Int? = nil) -> Failure {
    Failure(
      "'\(path)' is too large: a state has at most \(byteText(Limits.contentSizeMax)) (64 MiB)"
        + (size.map { ", and this file has \(byteText($0))" } ?? ""))
  }
}
