import Foundation
import Testing

/// A program's end while an editor has its terminal.
@Suite(
  .serialized, .enabled(if: hasWithinProbe, "the probe was not built"), .timeLimit(.minutes(5)))
final class EditorTests: WithinProgram {
  let terminal: PseudoTerminal
  let before: [UInt32]
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "surf-editor-\(UUID().uuidString)")

  init() throws {
    terminal = try PseudoTerminal(width: 100, height: 30)
    before = terminal.mode
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func path(_ name: String) -> String { folder.appending(path: name).path }

  /// Raw, on the other screen, and drawing until it is ended.
  private static let drawing = """
    stty raw -echo; printf '\\033[?1049hediting'
    while :; do sleep 0.05; printf .; done
    """

  /// - Parameter script: what it does once it has said who it is.
  private func editor(_ script: String = drawing) throws -> String {
    let text = "echo $$ >\(path("new"))\nmv \(path("new")) \(path("editor.pid"))\n"
    try (text + script).write(toFile: path("editor"), atomically: true, encoding: .utf8)
    // A file that was just written is busy if another test has forked meanwhile.
    return "sh \(path("editor"))"
  }

  private func edit() throws {
    let start = terminal.output.count
    terminal.type(":edit the state\r")
    try #require(terminal.wait { FileManager.default.fileExists(atPath: path("editor.pid")) })
    try #require(terminal.wait { terminal.text(from: start).contains("editing") })
  }

  /// It has ended, though perhaps nobody has asked how.
  private func isGone() throws -> Bool {
    let pid = try String(contentsOfFile: path("editor.pid"), encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let facts = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    return facts?.contains(") Z ") ?? true
  }

  @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGSEGV])
  func `a signal ends the editor too, and the terminal is as it was`(signal: Int32) throws {
    try start("act 1 open say meanwhile act 1 forever", editor: editor())
    try #require(opens(at: 2))
    try edit()
    #expect(terminal.mode != before)
    terminal.send(signal)
    expectEnd(.signal(signal))
    #expect(rest == "meanwhile\r\n")
    #expect(try isGone())
  }

  @Test func `so does a call of exit on another thread`() throws {
    try start("act 1 open say meanwhile await \(path("go")) exit", editor: editor())
    try #require(opens(at: 1))
    try edit()
    #expect(FileManager.default.createFile(atPath: path("go"), contents: nil))
    expectEnd(.exit(3))
    #expect(rest == "meanwhile\r\n")
    #expect(try isGone())
  }

  @Test func `an editor that does not end when it is told is ended by force`() throws {
    try start("act 1 open forever", editor: editor("trap '' HUP TERM\n" + Self.drawing))
    try #require(opens(at: 1))
    try edit()
    terminal.send(SIGTERM)
    expectEnd(.signal(SIGTERM))
    #expect(rest.isEmpty)
    #expect(try isGone())
  }

  @Test func `an editor may save, and its last words stay`() throws {
    let goodbye = "echo all >\(path("saved")); printf '\\033[?1049lkept\\r\\n'; stty sane; exit 1"
    try start("act 1 open forever", editor: editor("trap \"\(goodbye)\" HUP\n" + Self.drawing))
    try #require(opens(at: 1))
    try edit()
    terminal.send(SIGTERM)
    expectEnd(.signal(SIGTERM))
    #expect(rest == "kept\r\n")
    #expect(FileManager.default.fileExists(atPath: path("saved")))
  }

  @Test func `who waits for the program reads from its terminal again`() throws {
    let script = """
      \(withinProbe) act 1 note \(path("pid")) open forever
      echo ended $?; read word; echo read $word
      """
    try terminal.start("/bin/sh", ["-c", script], term: "linux", editor: editor())
    try #require(opens(at: 1))
    try edit()
    let pid = try String(contentsOfFile: path("pid"), encoding: .utf8)
    kill(try #require(pid_t(pid)), SIGTERM)
    try #require(terminal.wait(for: "ended 143"))
    terminal.type("on\n")
    try #require(terminal.wait(for: "read on"))
    expectEnd(.exit(0))
  }

  @Test func `when the window is closed, the editor is told`() throws {
    try start(
      "act 1 open forever",
      editor: editor(
        "trap 'echo all >\(path("saved")); exit' HUP\n"
          + Self.drawing))
    try #require(opens(at: 1))
    try edit()
    terminal.closeWindow()
    #expect(terminal.endUnread() == .signal(SIGHUP))
    #expect(FileManager.default.fileExists(atPath: path("saved")))
    #expect(try isGone())
  }

  @Test func `Ctrl-Z in an editor stops a program whose threads print, and fg goes on`() throws {
    let probe = "\(withinProbe) act 1 chat open wait say after exit"
    let script = "set -m; \(probe); echo stopped $?; read answer; fg >/dev/null; echo ended $?"
    try terminal.start(
      "/bin/bash", ["-c", script], term: "linux",
      editor: editor("echo editing; read word; echo $word >\(path("saved"))"))
    try #require(opens(at: 1))
    try edit()
    let start = terminal.output.count
    terminal.type("\u{1A}")
    try #require(terminal.wait { terminal.text(from: start).contains("stopped 148") })
    #expect(terminal.mode == before)
    #expect(!terminal.text(from: start).contains("tick"))
    terminal.type("go on\nword\n")
    try #require(terminal.wait { terminal.text(from: start).contains("\u{1B}[?1049h") })
    #expect(try String(contentsOfFile: path("saved"), encoding: .utf8) == "word\n")
    terminal.type("q")
    try #require(terminal.wait { rest.contains("ended 3") })
    #expect(rest.contains("tick") && rest.contains("after"))
    expectEnd(.exit(0))
  }
}
