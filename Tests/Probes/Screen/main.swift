import DebuggerDriver
import Glibc
import SurfThreads
import TerminalScreen

// Shows what happens at its terminal, an event in a row, until `q`. `c` crashes it, `e` ends it by
// exit(3), `u` makes it take SIGUSR1 for itself, Ctrl-Z stops it, and `f` draws as much as it can.
// Given `answered`, it waits as long as a test may take to answer. It prints an error on standard
// output.
let names: [String] = ["TERM", "NO_COLOR", "LANG", "TERM_PROGRAM"]
var environment: [String: String] = [:]
for name in names {
  if let value = getenv(name) { environment[name] = String(cString: value) }
}

func draw(_ lines: [String], on terminal: Terminal) throws(TerminalError) {
  var screen = Screen(terminal.size)
  screen.put("\(terminal.size.width) by \(terminal.size.height)", at: 0, 0, .bold)
  for (row, line) in lines.suffix(terminal.size.height - 1).enumerated() {
    screen.put(line, at: row + 1, 0)
  }
  try terminal.show(screen)
}

func run(_ kind: TerminalKind) throws(TerminalError) {
  let isAnswered = CommandLine.arguments.contains("answered")
  let terminal = try Terminal.open(
    kind: kind, answerDelay: isAnswered ? .seconds(30) : .milliseconds(200),
    patience: .milliseconds(500))
  var lines = ["ready"]
  while true {
    try draw(lines, on: terminal)
    for event in try terminal.nextEvents(until: nil) {
      lines.append("\(event)")
      guard case .input(.key(let stroke)) = event else { continue }
      switch (stroke.key, stroke.modifiers) {
      case (.character("q"), []): return terminal.close()
      case (.character("e"), []): exit(3)
      case (.character("p"), []): terminal.showPlain(["plain text"])
      case (.character("P"), []): terminal.endPlain()
      case (.character("y"), []): _ = terminal.copy(Array("copied".utf8))
      case (.character("v"), []):
        let end = try terminal.lend(
          to: ["/bin/sh", "-c", "echo lent; stty -a | grep -c ' icanon'; read word; exit $word"],
          while: { true })
        lines.append("\(end)")
      case (.character("c"), []): abort()
      // A handler of the program's own, which ends nothing.
      case (.character("u"), []): signal(SIGUSR1, SIG_IGN)
      case (.character("z"), .control): terminal.suspend()
      case (.character("f"), []):
        for number in 0... {
          try draw(Array(repeating: "flood \(number)", count: terminal.size.height), on: terminal)
          _ = try terminal.nextEvents(until: monotonicNow())
        }
      default: break
      }
    }
  }
}

do throws(TerminalError) {
  try run(TerminalKind(environment: environment))
  exit(0)
} catch {
  // Standard output is the terminal, and would hang.
  if error == .stuck { exit(4) }
  let text = "\(error)\n"
  _ = write(STDOUT_FILENO, text, text.utf8.count)
  exit(1)
}
