import Foundation
import Testing

private let isLong = ProcessInfo.processInfo.environment["STATESURF_LONG"] != nil

/// A debugger within a program, on a terminal of the kernel's.
@Suite(
  .serialized, .enabled(if: hasWithinProbe, "the probe was not built"), .timeLimit(.minutes(5)))
struct WithinTests: WithinProgram {
  let terminal: PseudoTerminal
  let before: [UInt32]

  init() throws {
    terminal = try PseudoTerminal(width: 100, height: 30)
    before = terminal.mode
  }

  @Test func `a call shows the rows from before it, and q gives the terminal back`() throws {
    try start("act 5 run say after state")
    try #require(opens(at: 5))
    #expect(terminal.mode != before)
    terminal.type("q")
    expectEnd(.exit(0))
    #expect(terminal.text().contains("increment"))
    #expect(rest == "after\r\ncount 5\r\n")
  }

  @Test func `a signal opens it, and again after it was closed`() throws {
    try start("act 3 listen say ready forever")
    try #require(terminal.wait(for: "ready"))
    for _ in 1...2 {
      terminal.send(SIGUSR2)
      try #require(opens(at: 3))
      terminal.type("q")
      try #require(terminal.wait(for: Self.off))
    }
    terminal.send(SIGTERM)
    expectEnd(.signal(SIGTERM))
  }

  @Test func `signals that come while it is open do not open it again`() throws {
    try start("act 3 listen say ready forever")
    try #require(terminal.wait(for: "ready"))
    terminal.send(SIGUSR2)
    terminal.send(SIGUSR2)
    try #require(opens(at: 3))
    // On a busy machine it might come only after the key.
    try #require(terminal.deliver(SIGUSR2))
    try #require(shows("is at row 3"))
    terminal.type("q")
    try #require(terminal.wait(for: Self.off))
    // By then a second screen would have appeared.
    usleep(300_000)
    terminal.send(SIGTERM)
    expectEnd(.signal(SIGTERM))
    #expect(terminal.text().components(separatedBy: "\u{1B}[?1049h").count - 1 == 1)
  }

  @Test func `where no thread can start, nothing listens, and later it does`() throws {
    try start("act 3 starve listen say ready forever")
    try #require(terminal.wait(for: "ready"))
    // Behind a line about the network, if its thread has not started before.
    #expect(terminal.text().contains("error: cannot start the thread 'surf-opener'"))
    #expect(!terminal.text().contains("already"))
    terminal.send(SIGUSR2)
    try #require(opens(at: 3))
    terminal.send(SIGTERM)
    expectEnd(.signal(SIGTERM))
  }

  @Test func `a program that asks for no signal ends by it as ever`() throws {
    try start("act 1 say ready forever")
    try #require(terminal.wait(for: "ready"))
    terminal.send(SIGUSR2)
    expectEnd(.signal(SIGUSR2))
  }

  @Test func `there is one at a time`() throws {
    try start("act 1 open again wait say after")
    try #require(opens(at: 1))
    terminal.type("q")
    expectEnd(.exit(0))
    #expect(rest == "error: the debugger is open already\r\nafter\r\n")
  }

  @Test(arguments: ["dumb", ""])
  func `a terminal that cannot draw is refused in words`(term: String) throws {
    try start("act 1 run say after", term: term)
    expectEnd(.exit(0))
    #expect(terminal.text() == "error: the terminal shows only text (TERM=\(term))\r\nafter\r\n")
  }

  @Test func `surf moves the program, and auto-apply moves it with the cursor`() throws {
    try start("act 5 run state")
    try #require(opens(at: 5))
    terminal.type("kks")
    try #require(shows("is at row 3"))
    terminal.type("A")
    terminal.type("k")
    try #require(shows("is at row 2"))
    terminal.type("q")
    expectEnd(.exit(0))
    #expect(rest == "count 2\r\n")
  }

  @Test func `what is printed meanwhile comes behind the picture, cut if it is much`() throws {
    try start("act 1 open print 10000000 say printed close say after")
    // The kernel holds less than this.
    try #require(terminal.wait { rest.hasSuffix("after\r\n") })
    expectEnd(.exit(0))
    let lines = rest.components(separatedBy: "\r\n")
    #expect(lines.first?.hasSuffix(" octets of earlier output were cut]") == true)
    #expect(lines.suffix(3) == ["printed", "after", ""])
    #expect(lines.suffix(4).first == "line 00000000499999")
    // 256 KiB, and a carriage return for each line.
    #expect(rest.utf8.count < 300_000)
  }

  @Test(arguments: ["linux", "xterm"])
  func `nothing is lost that threads print while it opens and closes`(term: String) throws {
    try start("act 1 talk 600 say after", term: term)
    try #require(terminal.wait { rest.hasSuffix("after\r\n") })
    expectEnd(.exit(0))
    #expect(terminal.text().components(separatedBy: "tick").count - 1 == 1_200)
    // What is printed on the other screen goes with it: no more than each thread was writing then.
    for part in terminal.text().components(separatedBy: "\u{1B}[?1049h").dropFirst() {
      let picture = part.components(separatedBy: Self.off)[0]
      #expect(picture.components(separatedBy: "tick").count - 1 <= 2)
    }
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV, SIGABRT])
  func `a signal ends the program as ever, and what it printed is shown`(signal: Int32) throws {
    // The second action comes behind the words.
    try start("act 1 open say meanwhile act 1 forever")
    try #require(opens(at: 2))
    terminal.send(signal)
    expectEnd(.signal(signal))
    #expect(rest == "meanwhile\r\n")
  }

  @Test func `a crash shows what was printed`() throws {
    try start("act 1 open say meanwhile crash")
    expectEnd(.signal(SIGABRT))
    #expect(rest == "meanwhile\r\n")
  }

  @Test(arguments: 0..<24 as Range<UInt32>)
  func `a signal at any time leaves the terminal as it was`(moment: UInt32) throws {
    try start("act 1 cycle 100000")
    try #require(terminal.wait(for: Self.off))
    usleep(130_000 + moment * 1_237)
    terminal.send(SIGTERM)
    expectEnd(.signal(SIGTERM))
  }

  @Test func `opening and closing leave no descriptor and no thread`() throws {
    try start("act 3 cycle \(isLong ? 1_000 : 50)")
    expectEnd(.exit(0))
    #expect(rest == "cycled and nothing is left\r\n")
  }
}
