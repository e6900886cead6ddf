import Glibc
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

  func print(_ line: Line) {
    write(lineBytes(line), to: STDOUT_FILENO)
  }

  func print(bytes: [UInt8]) { write(bytes, to: STDOUT_FILENO) }

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
    let sink = FileSink(STDERR_FILENO)
    // A caller that closed standard error does not want to know.
    _ = sink.write(Array((text + "\n").utf8))
  }

  /// Redraws the bottom line where it changed; nil erases it.
  func setStatus(_ line: Line?) {
    guard terminal.isTerminal, line != status else { return }
    let old = status
    status = nil
    if old != nil { emit(Self.erase, to: STDOUT_FILENO) }
    status = line
    if let line { emit(Array(line.text(coloured: terminal.isColoured).utf8), to: STDOUT_FILENO) }
  }

  /// Shows on standard error how far something is, until it is done: results go to standard output.
  func setProgress(_ line: Line?) {
    guard showsProgress, line != progress else { return }
    progress = line
    let sink = FileSink(STDERR_FILENO)
    let text = line.map { Array($0.text(coloured: terminal.isColoured).utf8) } ?? []
    _ = sink.write(Self.erase + text)
  }

  /// To the first column, and empty the line (ECMA-48 EL).
  private static let erase = Array("\r\u{1B}[K".utf8)

  /// Above the bottom line, in one write, so that nothing flickers.
  private func write(_ bytes: [UInt8], to descriptor: Int32) {
    guard let status else { return emit(bytes, to: descriptor) }
    emit(
      Self.erase + bytes + Array(status.text(coloured: terminal.isColoured).utf8), to: descriptor)
  }

  private func lineBytes(_ line: Line) -> [UInt8] {
    Array((line.text(coloured: terminal.isColoured) + "\n").utf8)
  }

  private func emit(_ bytes: [UInt8], to descriptor: Int32) {
    guard fault == nil, !FileSink(descriptor).write(bytes) else { return }
    noteFault()
  }

  private func noteFault() {
    fault = errno == EPIPE ? .readerLeft : .failed(systemError())
  }
}

/// The system's words for `errno`.
func systemError() -> String { String(cString: strerror(errno)) }
