import Foundation

/// `statesurf surf`, as it lies beside this program, on a terminal of its own.
final class ViewerProcess {
  /// What it wrote to the terminal.
  private(set) var output: [UInt8] = []
  private let master: Int32
  private var pid: pid_t = 0

  init(port: UInt16, width: UInt16 = 120, height: UInt16 = 40) throws {
    master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    // TIOCSPTLCK and TIOCGPTN, whose macros Swift does not read.
    var lock: Int32 = 0
    var number: UInt32 = 0
    guard ioctl(master, 0x4004_5431, &lock) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
      throw BenchmarkFailure("there is no terminal to be had")
    }
    var size = winsize(ws_row: height, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    try start(on: "/dev/pts/\(number)", port)
  }

  deinit {
    if pid > 0 {
      kill(pid, SIGTERM)
      waitpid(pid, nil, 0)
    }
    close(master)
  }

  /// A session of its own takes the first terminal that it opens.
  private func start(on terminal: String, _ port: UInt16) throws {
    let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "statesurf").path
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in 0...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, terminal, O_RDWR, 0)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let setsid: Int16 = 0x80
    posix_spawnattr_setflags(&attributes, setsid)
    let words = Self.copies([program, "surf"])
    let environment = Self.copies([
      "TERM=xterm-256color", "LANG=C.UTF-8", "STATESURF_PORT=\(port)", "STATESURF_INTERFACE=lo",
      "XDG_CONFIG_HOME=/nonexistent",
    ])
    defer { for word in words + environment { free(word) } }
    guard posix_spawn(&pid, program, &actions, &attributes, words, environment) == 0 else {
      throw BenchmarkFailure("there is no \(program): swift build -c release")
    }
  }

  /// With a nil at the end, as C has it.
  private static func copies(_ words: [String]) -> [UnsafeMutablePointer<CChar>?] {
    words.map { strdup($0) } + [nil]
  }

  func type(_ text: String) { _ = write(master, text, text.utf8.count) }

  /// Takes what it has written by now.
  func take() throws {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(master, &bytes, bytes.count)
      guard count > 0 else { break }
      output += bytes.prefix(count)
    }
    guard errno == EAGAIN else { throw BenchmarkFailure("the viewer has ended") }
  }

  /// Takes what it writes, until it is so; false if that was not in time.
  func run(for seconds: Double, until isSo: () -> Bool) throws -> Bool {
    let end = nanoseconds() + UInt64(seconds * 1e9)
    while nanoseconds() < end {
      var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      _ = poll(&entry, 1, 10)
      try take()
      if isSo() { return true }
    }
    return false
  }

  /// Whether a text was written in one piece.
  func shows(_ text: String, since start: Int = 0) -> Bool {
    String(decoding: output[start...], as: UTF8.self).contains(text)
  }

  /// Each frame is one synchronized update.
  var frameCount: Int {
    String(decoding: output, as: UTF8.self).components(separatedBy: "\u{1B}[?2026h").count - 1
  }

  /// Seconds of all its threads that are there.
  var processorTime: Double {
    get throws {
      let tasks = "/proc/\(pid)/task"
      return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
        let text = try String(contentsOfFile: "\(tasks)/\(task)/schedstat", encoding: .utf8)
        return sum + (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
      }
    }
  }

  /// A line of its status in KiB, as VmHWM for the most that it had.
  func memory(at name: String) throws -> Double {
    let text = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    guard let word = line?.split(whereSeparator: \.isWhitespace).dropFirst().first,
      let size = Double(word)
    else { throw BenchmarkFailure("the viewer has ended") }
    return size
  }
}
