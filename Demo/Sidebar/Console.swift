import Glibc

/// The terminal for a program that draws the whole screen.
struct Console {
  private let former: termios

  /// Nil without a terminal.
  init?() {
    var mode = termios()
    guard isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &mode) == 0 else { return nil }
    former = mode
    cfmakeraw(&mode)
    tcsetattr(STDIN_FILENO, TCSANOW, &mode)
    write("\u{1B}[?1049h\u{1B}[?25l")
  }

  /// As it was before.
  func giveBack() {
    write("\u{1B}[m\u{1B}[?25h\u{1B}[?1049l")
    var mode = former
    tcsetattr(STDIN_FILENO, TCSANOW, &mode)
  }

  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// The bytes typed within a thirtieth of a second; nil at the end of input.
  func read() -> [UInt8]? {
    var entry = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 33) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }

  func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
