import FoundationEssentials
import Glibc
import SurfNetwork
import SurfThreads
import TerminalScreen

/// Standard output and standard error, and the status line at the bottom of a terminal.
final class Output {
  let terminal: TerminalFacts
  /// Why standard output can no longer be written; nil while it can.
  private(set) var fault: Fault?
  private var status: Line?
  /// Whether standard error is a terminal that can redraw a progress line.
  let showsProgress: Bool
  private var progress: Line?
  /// Bytes that were printed but not yet written.
  private var gathered: [UInt8] = []
  private var isGathering = false

  enum Fault: Equatable {
    /// The reader of our output has closed it, as `head` does when it has enough.
    case readerLeft
    /// The system's message for a failed write.
    case failed(String)
  }

  init(terminal: TerminalFacts) {
    self.terminal = terminal
    showsProgress = isatty(STDERR_FILENO) == 1 && terminal.canRedraw
  }

  func print(_ line: Line) { print(bytes: bytes(of: line) + [0x0A]) }

  func print(bytes: [UInt8]) {
    setProgress(nil)
    if gathered.count + bytes.count > Self.gatheredSizeMax { writeGathered() }
    if gathered.isEmpty { gathered = bytes } else { gathered += bytes }
    if !isGathering { writeGathered() }
  }

  /// Prints an app's bytes unchanged. On a terminal, escapes control sequences and says so.
  func print(foreign bytes: [UInt8]) {
    guard isatty(STDOUT_FILENO) == 1 else { return print(bytes: bytes) }
    let harmless = ForeignBytes.harmless(bytes)
    print(bytes: harmless)
    guard harmless != bytes else { return }
    if harmless.last != 0x0A { print(bytes: [0x0A]) }
    note(
      "shown with escapes, which a terminal needs; for the bytes themselves, redirect the output")
  }

  /// Some 30 lines. The first of them must not wait for long, and up to this size no other process
  /// that writes to the same pipe gets in between (pipe(7), PIPE_BUF).
  private static let gatheredSizeMax = 4_096

  /// Gathers what `body` prints into few writes: each write costs as much as formatting a line, and
  /// wakes the reader.
  func together(_ body: () -> Void) {
    isGathering = true
    body()
    isGathering = false
    writeGathered()
  }

  /// Called before anything else is written, to keep the order.
  private func writeGathered() {
    guard !gathered.isEmpty else { return }
    let bytes = gathered
    gathered = []
    write(bytes)
  }

  func show(_ failure: Failure) {
    setStatus(nil)
    complain(failure.lines.joined(separator: "\n"))
  }

  func readerLeft() { fault = fault ?? .readerLeft }

  /// Closes standard output, and returns the exit code of a command that meant to end with `code`.
  func finish(_ code: Int32) -> Int32 {
    // Some file systems report only now that they are full.
    if fault == nil, close(STDOUT_FILENO) != 0 { noteFault() }
    switch fault {
    case nil: return code
    case .readerLeft: return code == ExitCode.done ? ExitCode.readerLeft : code
    case .failed(let reason):
      show(Failure("cannot write to standard output: \(reason)"))
      return code == ExitCode.done ? ExitCode.failed : code
    }
  }

  /// Prints a message to standard error.
  func note(_ text: String) { complain("statesurf: \(escaped(text))") }

  /// Prints a question to standard error; the answer goes behind it.
  func ask(_ question: String) {
    setStatus(nil)
    setProgress(nil)
    writeGathered()
    _ = FileOctets.write(Array(escaped(question).utf8), to: STDERR_FILENO)
  }

  /// Writes above the bottom line, which may be on the same terminal.
  private func complain(_ text: String) {
    let line = status
    setStatus(nil)
    setProgress(nil)
    writeGathered()
    // A caller that closed standard error does not want the message.
    _ = FileOctets.write(Array((text + "\n").utf8), to: STDERR_FILENO)
    setStatus(line)
  }

  /// Redraws the bottom line if it changed; nil erases it.
  func setStatus(_ line: Line?) {
    guard terminal.isTerminal, line != status else { return }
    writeGathered()
    let old = status
    status = nil
    if old != nil { emit(Self.erase) }
    status = line
    if let line { emit(bytes(of: line)) }
  }

  /// Redraws the progress line on standard error; nil erases it. Results go to standard output.
  func setProgress(_ line: Line?) {
    guard showsProgress, line != progress else { return }
    writeGathered()
    progress = line
    _ = FileOctets.write(Self.erase + (line.map(bytes(of:)) ?? []), to: STDERR_FILENO)
  }

  /// Moves to the first column and erases the line (ECMA-48 EL).
  private static let erase = Array("\r\u{1B}[K".utf8)

  /// Writes above the bottom line, in one write to avoid flicker.
  private func write(_ bytes: [UInt8]) {
    guard let status else { return emit(bytes) }
    emit(Self.erase + bytes + self.bytes(of: status))
  }

  private func bytes(of line: Line) -> [UInt8] {
    Array(line.text(coloured: terminal.isColoured).utf8)
  }

  private func emit(_ bytes: [UInt8]) {
    if fault == nil, !FileOctets.write(bytes, to: STDOUT_FILENO) { noteFault() }
  }

  private func noteFault() {
    fault = errno == EPIPE ? .readerLeft : .failed(systemError())
  }
}

/// The system's message for `errno`, on any thread.
func systemError() -> String { String(cString: strerror(errno)) }

/// Writes bytes that come from an app, on any thread.
enum ForeignBytes {
  /// On a terminal, escapes the bytes that would control it or be invisible. Returns false on
  /// failure; `errno` says why.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    FileOctets.write(isatty(descriptor) == 1 ? harmless(bytes) : bytes, to: descriptor)
  }

  /// Escapes everything but tabs and line feeds that could control a terminal or be invisible.
  static func harmless(_ bytes: [UInt8]) -> [UInt8] {
    let pieces = bytes.split(omittingEmptySubsequences: false) { $0 == 0x09 || $0 == 0x0A }
    return pieces.reduce(into: []) { result, piece in
      result += escaped(String(decoding: piece, as: UTF8.self)).utf8
      if piece.endIndex < bytes.endIndex { result.append(bytes[piece.endIndex]) }
    }
  }
}

/// Makes sure that descriptors 0 to 2 are in use.
enum StandardStreams {
  /// If the caller closed one, our first socket would get its number, and printed lines would go to
  /// the network. So this opens a descriptor there that refuses to be used.
  static func occupy() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // `open` returns the lowest free number, and the lower ones are in use.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}

/// How the process may show things: facts about its terminal, time zone and user.
package struct TerminalFacts: Equatable, Sendable {
  package var isTerminal = false
  /// Whether a terminal on any stream understands control sequences: `TERM` is not `dumb`.
  package var canRedraw = false
  var isColoured = false
  /// Whether standard input and output are a terminal that can be drawn on.
  package var hasKeys = false
  /// Nil in a pipe.
  package var columns: Int?
  package var secondsFromGMT = 0
  package var viewerName = "somebody"

  static func current() -> TerminalFacts {
    var facts = TerminalFacts()
    let environment = ProcessInfo.processInfo.environment
    facts.canRedraw = environment["TERM"] != "dumb"
    facts.isTerminal = isatty(STDOUT_FILENO) == 1 && facts.canRedraw
    facts.hasKeys = facts.isTerminal && isatty(STDIN_FILENO) == 1
    facts.isColoured = colours(isTerminal: facts.isTerminal, environment)
    facts.columns = facts.currentColumns
    facts.secondsFromGMT = secondsFromGMT()
    facts.viewerName = "\(userName(environment))@\(HostFacts.current.name)"
    return facts
  }

  // Foundation has both of these, and would make the program three times as large.
  private static func secondsFromGMT() -> Int {
    var (now, local) = (time(nil), tm())
    return localtime_r(&now, &local) == nil ? 0 : local.tm_gmtoff
  }

  private static func userName(_ environment: [String: String]) -> String {
    if let entry = getpwuid(geteuid()) { return String(cString: entry.pointee.pw_name) }
    return environment["USER"] ?? "somebody"
  }

  /// Whether to use colour: on a terminal, unless `NO_COLOR` is set (no-color.org: present and not
  /// empty) or `TERM` is `dumb`.
  package static func colours(isTerminal: Bool, _ environment: [String: String]) -> Bool {
    isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }

  /// The width now, which the user may change at any time. Nil in a pipe.
  var currentColumns: Int? { isTerminal ? Self.width() : nil }

  private static func width() -> Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
