import Foundation
import Testing

/// The other end of a terminal, and a program that runs on it as a shell's child would.
final class PseudoTerminal {
  private var master: Int32
  private let path: String
  /// Kept open, so that the mode can be read when the program has ended.
  private var slave: Int32
  /// 0 when it has ended: its number may be another's by then.
  private var pid: pid_t = 0
  /// All that came.
  private(set) var output: [UInt8] = []

  init(width: Int = 120, height: Int = 40) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    // TIOCSPTLCK and TIOCGPTN, whose macros Swift does not read.
    var lock: Int32 = 0
    var number: UInt32 = 0
    try #require(ioctl(master, 0x4004_5431, &lock) == 0 && ioctl(master, 0x8004_5430, &number) == 0)
    path = "/dev/pts/\(number)"
    slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(slave >= 0)
    resize(width: width, height: height)
  }

  deinit {
    if pid > 0 {
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
    closeWindow()
  }

  /// In a session of its own, whose terminal this is.
  func start(
    _ program: String, _ arguments: [String] = [], term: String = "xterm", editor: String = ""
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, path, O_RDWR, 0)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Its signals are as at a login: the tests' own may be blocked.
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let setsid: Int32 = 0x80
    posix_spawnattr_setflags(
      &attributes, Int16(setsid | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    let surroundings = [
      "TERM=\(term)", "LANG=C.UTF-8", "PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no",
      "EDITOR=\(editor)",
    ]
    let environment: [UnsafeMutablePointer<CChar>?] = surroundings.map { strdup($0) } + [nil]
    defer { for word in words + environment { free(word) } }
    let result = posix_spawn(&pid, program, &actions, &attributes, words, environment)
    try #require(result == 0)
  }

  /// What the kernel knows of the terminal's mode.
  var mode: [UInt32] {
    var mode = termios()
    #expect(tcgetattr(slave, &mode) == 0)
    return [mode.c_iflag, mode.c_oflag, mode.c_cflag, mode.c_lflag]
  }

  func resize(width: Int, height: Int) {
    var size = winsize(
      ws_row: UInt16(height), ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(write(master, bytes, bytes.count) == bytes.count)
  }

  func send(_ signal: Int32) { if pid > 0 { kill(pid, signal) } }

  /// Returns false if no thread of the program takes the signal.
  func deliver(_ signal: Int32) -> Bool {
    send(signal)
    return wait { !self.isPending(signal) }
  }

  private func isPending(_ signal: Int32) -> Bool {
    let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("ShdPnd:\t") }
    let mask = line.flatMap { UInt64($0.dropFirst(8), radix: 16) } ?? 0
    return mask >> UInt64(signal - 1) & 1 == 1
  }

  /// As a window's cross does. Each end is closed once: other tests' descriptors get its number.
  func closeWindow() {
    if slave >= 0 { close(slave) }
    if master >= 0 { close(master) }
    (slave, master) = (-1, -1)
  }

  /// Reads until `text` follows the output read before; false after a long while.
  func wait(for text: String) -> Bool {
    let from = output.count
    return wait { self.text(from: from).contains(text) }
  }

  func text(from start: Int = 0) -> String { String(decoding: output[start...], as: UTF8.self) }

  /// Reads until the condition holds.
  func wait(until isSo: () -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: 30)
    while !isSo() {
      guard Date() < deadline else { return false }
      take()
    }
    return true
  }

  private func take() {
    var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 20) > 0 else { return }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(master, &bytes, bytes.count)
    if count > 0 { output += bytes.prefix(count) } else { usleep(1_000) }
  }

  /// How the program ended, as wait(2) tells it; nil if it does not end. Its output is taken.
  func end() -> Ending? {
    var ending: Ending?
    guard wait(until: { noteEnd(&ending) }) else { return nil }
    // Output from before the end is there.
    take()
    return ending
  }

  /// As `end`, but without reading the output.
  func endUnread() -> Ending? {
    let deadline = Date(timeIntervalSinceNow: 30)
    var ending: Ending?
    while !noteEnd(&ending), Date() < deadline { usleep(20_000) }
    return ending
  }

  private func noteEnd(_ ending: inout Ending?) -> Bool {
    var status: Int32 = 0
    guard waitpid(pid, &status, WNOHANG) == pid else { return false }
    pid = 0
    let signal = status & 0x7F
    ending = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal)
    return true
  }

  enum Ending: Equatable {
    case exit(Int32)
    case signal(Int32)
  }
}
