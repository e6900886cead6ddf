import DebuggerDriver
import Foundation
import TerminalScreen
import Testing

/// Beside the bundle of the tests; not there if only tests were built.
private let probe = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
  .appending(path: "ScreenProbe").path
private let hasProbe = FileManager.default.isExecutableFile(atPath: probe)

/// A program on a terminal of the kernel's.
@Suite(.serialized, .enabled(if: hasProbe, "the probe was not built"), .timeLimit(.minutes(2)))
struct TerminalTests {
  private let terminal: PseudoTerminal
  private let before: [UInt32]
  private static let off = "\u{1B}[m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  init() throws {
    terminal = try PseudoTerminal()
    before = terminal.mode
  }

  private func start(answers: String = "\u{1B}[?62c") throws {
    try terminal.start(probe, ["answered"])
    try #require(terminal.wait(for: "\u{1B}[c"), "the questions")
    terminal.type(answers)
    try #require(terminal.wait(for: "ready"))
    #expect(terminal.mode != before)
  }

  private func expectGivenBack(_ ending: PseudoTerminal.Ending) {
    let seen = terminal.end()
    #expect(seen == ending)
    #expect(terminal.mode == before)
    #expect(terminal.text().hasSuffix(Self.off), "\(terminal.text().suffix(60).debugDescription)")
    let offCount = terminal.text().components(separatedBy: "\u{1B}[?1049l").count - 1
    #expect(offCount == 1)
  }

  @Test func `at the end everything is as it was`() throws {
    try start()
    terminal.type("q")
    expectGivenBack(.exit(0))
    let text = terminal.text()
    #expect(text.hasPrefix("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?2026$p"))
    for mode in [2004, 1004, 1000, 1002, 1006] {
      #expect(text.contains("\u{1B}[?\(mode)h") && text.contains("\u{1B}[?\(mode)l"), "\(mode)")
    }
    #expect(!text.contains("\u{1B}[>1u") && !text.contains("\u{1B}[<u"))
  }

  /// All but those that stop a process or do nothing; 32 and 33 are the C library's own.
  private static let endings: [Int32] = (1...64).filter {
    ![
      SIGKILL, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGCHLD, SIGURG, SIGWINCH, 32, 33,
    ].contains($0)
  }

  @Test(arguments: endings)
  func `a signal ends the program as ever, and gives the terminal back`(signal: Int32) throws {
    try start()
    terminal.send(signal)
    expectGivenBack(.signal(signal))
  }

  @Test func `a signal that the program takes for itself ends nothing`() throws {
    try start()
    terminal.type("u")
    try #require(terminal.wait(for: "character(\"u\")"))
    terminal.send(SIGUSR1)
    terminal.type("k")
    try #require(terminal.wait(for: "character(\"k\")"))
    terminal.type("q")
    expectGivenBack(.exit(0))
  }

  @Test(arguments: [("c", PseudoTerminal.Ending.signal(SIGABRT)), ("e", .exit(3))])
  func `a crash and a call of exit give it back`(key: String, ending: PseudoTerminal.Ending) throws
  {
    try start()
    terminal.type(key)
    expectGivenBack(ending)
  }

  @Test func `what the terminal can do is switched on, and off before its screen`() throws {
    try start(
      answers: "\u{1B}[?2026;2$y\u{1B}[?2027;2$y\u{1B}]11;rgb:ff/ff/ff\u{1B}\\\u{1B}[?0u\u{1B}[?62c"
    )
    #expect(terminal.text().contains("\u{1B}[?2027h\u{1B}[>1u"))
    // Answers are no keys.
    #expect(!terminal.text().contains("input"))
    terminal.type("q")
    expectGivenBack(.exit(0))
    #expect(terminal.text().contains("\u{1B}[<u\u{1B}[?2027l"))
  }

  @Test
  func `a terminal that does not answer is waited for a moment, and late answers are no keys`()
    throws
  {
    try terminal.start(probe)
    try #require(terminal.wait(for: "ready"))
    terminal.type("\u{1B}[?2027;2$y\u{1B}[?62c" + "x")
    try #require(terminal.wait(for: "character(\"x\")"))
    #expect(!terminal.text().contains("reply"))
    terminal.type("q")
    expectGivenBack(.exit(0))
  }

  @Test func `keys, the mouse, pastes and focus come as events`() throws {
    try start()
    for (bytes, shown) in [
      ("k", "character(\"k\")"), ("\u{1B}[A", "Key.up"), ("\u{1B}", "Key.escape"),
      ("\u{3}", "character(\"c\")"), ("\u{1B}[<0;3;2M", "press"),
      ("\u{1B}[200~:go 7\r\u{1B}[201~", "paste(\":go 7\\r"), ("\u{1B}[O", "focus(false)"),
    ] {
      terminal.type(bytes)
      try #require(terminal.wait(for: shown), "\(shown)")
    }
    terminal.type("q")
    expectGivenBack(.exit(0))
  }

  @Test func `a new size is an event, and the screen is painted whole`() throws {
    try start()
    #expect(terminal.text().contains("120 by 40"))
    for width in 60...90 { terminal.resize(width: width, height: 20) }
    try #require(terminal.wait { terminal.text().contains("90 by 20") })
    // Of so many, only some are drawn.
    #expect(terminal.text().contains("\u{1B}[2J"))
    terminal.type("q")
    expectGivenBack(.exit(0))
  }

  @Test func `a stopped program leaves the shell its terminal, and takes it again`() throws {
    try terminal.start(
      "/bin/bash",
      [
        "-c",
        "set -m; \(probe) answered; echo stopped $?; read answer; fg >/dev/null; echo ended $?",
      ])
    try #require(terminal.wait(for: "\u{1B}[c"))
    terminal.type("\u{1B}[?62c")
    try #require(terminal.wait(for: "ready"))
    terminal.type("\u{1A}")
    try #require(terminal.wait(for: "stopped 148"))
    #expect(terminal.text().contains(Self.off))
    #expect(terminal.mode == before)
    let stoppedAt = terminal.output.count
    terminal.resize(width: 100, height: 30)
    terminal.type("go on\n")
    try #require(terminal.wait { terminal.text(from: stoppedAt).contains("100 by 30") })
    let text = terminal.text(from: stoppedAt)
    #expect(text.contains("\u{1B}[?1049h") && text.contains("ready") && text.contains("continued"))
    #expect(terminal.mode != before)
    terminal.type("q")
    try #require(terminal.wait(for: "ended 0"))
    #expect(terminal.end() == .exit(0))
    #expect(terminal.mode == before)
  }

  @Test func `another program has the terminal as it was, and then it is ours again`() throws {
    try start()
    terminal.type("v")
    try #require(terminal.wait { terminal.text().contains("lent\r\n1") })
    #expect(terminal.mode == before)
    let lentAt = terminal.output.count
    terminal.resize(width: 90, height: 20)
    terminal.type("7\n")
    try #require(terminal.wait { terminal.text(from: lentAt).contains("ended with code 7") })
    #expect(terminal.text(from: lentAt).contains("\u{1B}[?1049h") && terminal.mode != before)
    try #require(terminal.wait { terminal.text(from: lentAt).contains("90 by 20") })
    terminal.type("q")
    #expect(terminal.end() == .exit(0))
    #expect(terminal.mode == before)
  }

  @Test(arguments: [(127, "was not found"), (126, "cannot be run"), (1, "ended with code 1")])
  func `how another program ended is told in words`(code: Int32, words: String) {
    #expect("\(JobEnd.exited(code))" == words)
  }

  @Test func `an interrupt is the other program's, and not ours`() throws {
    try start()
    terminal.type("v")
    try #require(terminal.wait { terminal.text().contains("lent\r\n1") })
    terminal.type("\u{3}")
    try #require(terminal.wait(for: "was ended by signal 2"))
    terminal.type("q")
    #expect(terminal.end() == .exit(0))
  }

  @Test func `when the other program is stopped, so are we, and both go on`() throws {
    try terminal.start(
      "/bin/bash",
      [
        "-c",
        "set -m; \(probe) answered; echo stopped $?; read answer; fg >/dev/null; echo ended $?",
      ])
    try #require(terminal.wait(for: "\u{1B}[c"))
    terminal.type("\u{1B}[?62c")
    try #require(terminal.wait(for: "ready"))
    terminal.type("v")
    try #require(terminal.wait { terminal.text().contains("lent\r\n1") })
    terminal.type("\u{1A}")
    try #require(terminal.wait { terminal.text().contains("stopped 148") })
    terminal.type("go on\n7\n")
    try #require(terminal.wait { terminal.text().contains("ended with code 7") })
    terminal.type("q")
    try #require(terminal.wait { terminal.text().contains("ended 0") })
    #expect(terminal.end() == .exit(0))
    #expect(terminal.mode == before)
  }

  @Test func `plain text stands on the terminal's own screen until it is ended`() throws {
    try start()
    terminal.type("p")
    try #require(terminal.wait(for: "plain text\r\n"))
    #expect(terminal.text().contains("\u{1B}[?1049l"))
    let plainAt = terminal.output.count
    terminal.type("yP")
    try #require(terminal.wait { terminal.text(from: plainAt).contains("\u{1B}[?1049h") })
    try #require(terminal.wait { terminal.text(from: plainAt).contains("]52;c;Y29waWVk") })
    terminal.type("q")
    #expect(terminal.end() == .exit(0))
    #expect(terminal.mode == before)
  }

  @Test func `a terminal that takes nothing is an error, and not a hang`() throws {
    try start()
    terminal.type("f")
    #expect(terminal.endUnread() == .exit(4), "by itself")
    #expect(terminal.mode == before)
  }

  @Test func `a window that is closed ends the program`() throws {
    let closed = try PseudoTerminal()
    try closed.start(probe)
    try #require(closed.wait(for: "ready"))
    closed.closeWindow()
    // By SIGHUP, or by the error of the next call.
    let ending = try #require(closed.endUnread())
    #expect(ending == .signal(SIGHUP) || ending == .exit(1))
  }

  @Test func `without a terminal, or on one that shows only text, there is an error`() throws {
    try terminal.start(probe, term: "dumb")
    #expect(terminal.end() == .exit(1))
    #expect(terminal.text().contains("TERM=dumb"))
    #expect(!terminal.text().contains("\u{1B}"))
    let kind = TerminalKind(environment: ["TERM": "xterm"])
    #expect(throws: TerminalError.noTerminal(errno: ENOTTY)) {
      _ = try Terminal.open(path: "/dev/null", kind: kind)
    }
    #expect(throws: TerminalError.noTerminal(errno: ENOENT)) {
      _ = try Terminal.open(path: "/dev/there is none", kind: kind)
    }
  }
}
