import Foundation

/// `statesurf`, as it lies beside this program, on a terminal of its own or with a pipe.
final class ViewerProcess {
  /// Where it writes to.
  enum Output {
    /// 120 by 40.
    case terminal
    case pipe
  }

  /// The output that has been read so far.
  private(set) var output: [UInt8] = []
  /// Where what it writes is read.
  let descriptor: Int32
  private let pid: pid_t

  /// - Parameter program: instead of the `statesurf` beside this program.
  init(
    _ words: [String] = ["surf"], on output: Output = .terminal, port: UInt16,
    program: String? = nil
  ) throws {
    let end: Int32
    (descriptor, end) = try output == .terminal ? Self.openTerminal() : Self.openPipe()
    defer { close(end) }
    let beside = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "statesurf").path
    let environment = [
      "TERM": "xterm-256color", "LANG": "C.UTF-8", "STATESURF_PORT": "\(port)",
      "STATESURF_INTERFACE": "lo", "STATESURF_KEY_FILE": "none", "XDG_CONFIG_HOME": "/nonexistent",
    ]
    pid = try ChildProcess.spawn([program ?? beside] + words, environment) { actions in
      switch output {
      case .terminal:
        // A session of its own takes the first terminal that it opens.
        let path = "/proc/self/fd/\(end)"
        for target: Int32 in 0...2 {
          posix_spawn_file_actions_addopen(&actions, target, path, O_RDWR, 0)
        }
      case .pipe:
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, end, 1)
      }
    }
  }

  deinit {
    kill(pid, SIGTERM)
    waitpid(pid, nil, 0)
    close(descriptor)
  }

  /// The side of a person, and the side of a program.
  private static func openTerminal() throws -> (Int32, Int32) {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    // TIOCSPTLCK and TIOCGPTN, whose macros Swift does not read.
    var lock: Int32 = 0
    var number: UInt32 = 0
    guard ioctl(master, 0x4004_5431, &lock) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
      throw BenchmarkFailure("there is no terminal to be had")
    }
    var size = winsize(ws_row: 40, ws_col: 120, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    return (master, open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC))
  }

  private static func openPipe() throws -> (Int32, Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw BenchmarkFailure("there is no pipe to be had") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  func type(_ text: String) { _ = write(descriptor, text, text.utf8.count) }

  /// Takes what it has written by now.
  func take() throws {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      guard count > 0 else { break }
      output += bytes.prefix(count)
    }
    guard errno == EAGAIN else { throw BenchmarkFailure("the viewer has ended") }
  }

  /// Takes what it writes, until it is so; false if that was not in time.
  func run(for seconds: Double, until isSo: () -> Bool) throws -> Bool {
    let end = nanoseconds() + UInt64(seconds * 1e9)
    while nanoseconds() < end {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
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

  /// A line of the process's status in KiB; `VmHWM` is the peak of its memory.
  func memory(at name: String) throws -> Double {
    let text = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    guard let word = line?.split(whereSeparator: \.isWhitespace).dropFirst().first,
      let size = Double(word)
    else { throw BenchmarkFailure("the viewer has ended") }
    return size
  }
}
