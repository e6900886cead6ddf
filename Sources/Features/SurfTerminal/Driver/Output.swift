import Glibc
import SurfThreads
import TerminalScreen

/// Standard output and standard error, and the line at the bottom of a terminal.
final class Output {
  let terminal: TerminalFacts
  /// Why no more can be written; nil while it can.
  private(set) var fault: Fault?
  private var status: Line?
  /// Whether a person wants to see how far something is.
  let showsProgress: Bool
  private var progress: Line?
  /// What was printed and not yet written.
  private var gathered: [UInt8] = []
  private var isGathering = false

  enum Fault: Equatable {
    /// The reader of our output has gone, as `head` does when it has enough.
    case readerLeft
    /// It could not be written, in the system's words.
    case failed(String)
  }

  init(terminal: TerminalFacts) {
    self.terminal = terminal
    showsProgress = isatty(STDERR_FILENO) == 1 && terminal.canRedraw
  }

  func print(_ line: Line) { print(bytes: lineBytes(line)) }

  func print(bytes: [UInt8]) {
    setProgress(nil)
    if gathered.count + bytes.count > Self.gatheredSizeMax { writeGathered() }
    if gathered.isEmpty { gathered = bytes } else { gathered += bytes }
    if !isGathering { writeGathered() }
  }

  /// Prints the bytes of an app as they are; on a terminal, without what would drive it.
  func print(foreign bytes: [UInt8]) {
    guard isatty(STDOUT_FILENO) == 1 else { return print(bytes: bytes) }
    let harmless = FileSink.harmless(bytes)
    print(bytes: harmless)
    guard harmless != bytes else { return }
    if harmless.last != 0x0A { print(bytes: [0x0A]) }
    note(
      "shown with escapes, which a terminal needs; for the bytes themselves, redirect the output")
  }

  /// Some 30 lines: the first of them must not wait for long, and no other process that writes to
  /// the same pipe comes in between (pipe(7), PIPE_BUF).
  private static let gatheredSizeMax = 4_096

  /// Prints with one write what is printed meanwhile: each write takes as long as to make a line,
  /// and wakes the reader.
  func together(_ body: () -> Void) {
    isGathering = true
    body()
    isGathering = false
    writeGathered()
  }

  /// Before anything else is written, which was meant to come after it.
  private func writeGathered() {
    guard !gathered.isEmpty else { return }
    let bytes = gathered
    gathered = []
    write(bytes)
  }

  func show(_ failure: Failure) {
    setStatus(nil)
    setProgress(nil)
    complain(failure.lines.joined(separator: "\n"))
  }

  /// The reader has gone.
  func readerLeft() { fault = fault ?? .readerLeft }

  /// The exit code of a command that is done, and meant to end with `code`.
  func finish(_ code: Int32) -> Int32 {
    // Some file systems say only now that they had no room.
    if fault == nil, close(STDOUT_FILENO) != 0 { noteFault() }
    switch fault {
    case nil: return code
    case .readerLeft: return code == ExitCode.done ? ExitCode.readerLeft : code
    case .failed(let reason):
      show(Failure("cannot write to standard output: \(reason)"))
      return code == ExitCode.done ? ExitCode.failed : code
    }
  }

  /// Something beside the result that a person should know.
  func note(_ text: String) { complain("statesurf: \(escaped(text))") }

  private func complain(_ text: String) {
    writeGathered()
    let sink = FileSink(STDERR_FILENO)
    // A caller that closed standard error does not want to know.
    _ = sink.write(Array((text + "\n").utf8))
  }

  /// Redraws the bottom line where it changed; nil erases it.
  func setStatus(_ line: Line?) {
    guard terminal.isTerminal, line != status else { return }
    writeGathered()
    let old = status
    status = nil
    if old != nil { emit(Self.erase) }
    status = line
    if let line { emit(Array(line.text(coloured: terminal.isColoured).utf8)) }
  }

  /// Shows on standard error how far something is, until it is done: results go to standard output.
  func setProgress(_ line: Line?) {
    guard showsProgress, line != progress else { return }
    writeGathered()
    progress = line
    let sink = FileSink(STDERR_FILENO)
    let text = line.map { Array($0.text(coloured: terminal.isColoured).utf8) } ?? []
    _ = sink.write(Self.erase + text)
  }

  /// To the first column, and empty the line (ECMA-48 EL).
  private static let erase = Array("\r\u{1B}[K".utf8)

  /// Above the bottom line, in one write, so that nothing flickers.
  private func write(_ bytes: [UInt8]) {
    guard let status else { return emit(bytes) }
    emit(Self.erase + bytes + Array(status.text(coloured: terminal.isColoured).utf8))
  }

  private func lineBytes(_ line: Line) -> [UInt8] {
    Array((line.text(coloured: terminal.isColoured) + "\n").utf8)
  }

  private func emit(_ bytes: [UInt8]) {
    guard fault == nil, !FileSink(STDOUT_FILENO).write(bytes) else { return }
    noteFault()
  }

  private func noteFault() {
    fault = errno == EPIPE ? .readerLeft : .failed(systemError())
  }
}

/// The system's words for `errno`.
func systemError() -> String { String(cString: strerror(errno)) }

/// Writes all bytes to a descriptor.
struct FileSink {
  private let descriptor: Int32
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// The bytes of an app. A terminal gets escapes in place of those that would drive it or be
  /// unseen; all else gets the bytes themselves.
  func write(foreign bytes: [UInt8]) -> Bool {
    write(isatty(descriptor) == 1 ? Self.harmless(bytes) : bytes)
  }

  /// Line by line, and between tabs: text without the need for an escape stays as it is.
  static func harmless(_ bytes: [UInt8]) -> [UInt8] {
    let pieces = bytes.split(omittingEmptySubsequences: false) { $0 == 0x09 || $0 == 0x0A }
    return pieces.reduce(into: []) { result, piece in
      result += escaped(String(decoding: piece, as: UTF8.self)).utf8
      if piece.endIndex < bytes.endIndex { result.append(bytes[piece.endIndex]) }
    }
  }

  /// False if it failed; `errno` says why.
  func write(_ bytes: [UInt8]) -> Bool { FileOctets.write(bytes, to: descriptor) }
}

/// Descriptors 0 to 2, which every program takes for granted.
enum StandardStreams {
  /// The system would give a closed one to our first socket, and lines would go to the network. A
  /// descriptor that refuses every use takes its place.
  static func occupy() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // `open` gives the lowest free number, and those before it are taken.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
