import Glibc

/// Standard output and standard error, and the line at the bottom of a terminal.
final class Output {
  let terminal: TerminalFacts
  /// Whoever read our output has gone; nothing more can be said.
  private(set) var isClosed = false
  private var status: Line?
  /// Whether there is somebody who wants to see how far something is.
  let showsProgress: Bool
  private var progress: Line?

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

  /// Something beside the result that a person should know.
  func note(_ text: String) { complain("statesurf: \(escaped(text))") }

  private func complain(_ text: String) {
    var sink = FileSink(STDERR_FILENO)
    // Who closed standard error does not want to know.
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

  /// Shows how far something is, on standard error, until it is done: the results are in the other.
  func setProgress(_ line: Line?) {
    guard showsProgress, line != progress else { return }
    progress = line
    var sink = FileSink(STDERR_FILENO)
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
    guard !isClosed else { return }
    var sink = FileSink(descriptor)
    if !sink.write(bytes) { isClosed = true }
  }
}

/// Writes all bytes to a descriptor.
struct FileSink {
  private let descriptor: Int32
  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// False if it failed; `errno` says why.
  mutating func write(_ bytes: [UInt8]) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        Glibc.write(descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset)
      }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { return false }
      offset += count
    }
    return true
  }
}
