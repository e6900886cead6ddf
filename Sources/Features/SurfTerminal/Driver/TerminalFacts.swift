import Foundation

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
