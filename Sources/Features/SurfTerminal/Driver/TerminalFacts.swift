import Foundation

/// What the process's surroundings say of how to show things.
package struct TerminalFacts: Equatable, Sendable {
  package var isTerminal = false
  /// Whether a terminal, of whichever stream, understands more than text: it is not `dumb`.
  package var canRedraw = false
  var isColoured = false
  /// Whether standard input and output are a terminal that can be drawn on: a person is there.
  package var hasKeys = false
  /// Of the terminal; nil in a pipe.
  package var columns: Int?
  package var secondsFromGMT = 0
  package var viewerName = "somebody"

  package init() {}

  static func current() -> TerminalFacts {
    var facts = TerminalFacts()
    let environment = ProcessInfo.processInfo.environment
    facts.canRedraw = environment["TERM"] != "dumb"
    facts.isTerminal = isatty(STDOUT_FILENO) == 1 && facts.canRedraw
    facts.hasKeys = facts.isTerminal && isatty(STDIN_FILENO) == 1
    facts.isColoured = colours(isTerminal: facts.isTerminal, environment)
    facts.columns = facts.currentColumns
    facts.secondsFromGMT = TimeZone.current.secondsFromGMT()
    facts.viewerName = "\(NSUserName())@\(ProcessInfo.processInfo.hostName)"
    return facts
  }

  /// Colour on a terminal, unless `NO_COLOR` (no-color.org: present and not empty) or `TERM=dumb`.
  package static func colours(isTerminal: Bool, _ environment: [String: String]) -> Bool {
    isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }

  /// Columns now: a person may change them at any time. Nil in a pipe.
  var currentColumns: Int? { isTerminal ? Self.width() : nil }

  private static func width() -> Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}
