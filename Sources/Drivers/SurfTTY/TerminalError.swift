import Glibc

/// Why a terminal cannot be used.
package enum TerminalError: Error, Equatable, Sendable {
  /// There is no terminal, as in a pipe or under a daemon.
  case noTerminal(errno: Int32)
  /// It shows only text; `name` is the value of TERM.
  case cannotDraw(name: String)
  /// It belongs to another job of the shell.
  case inBackground
  /// This process is using it already.
  case alreadyOpen
  /// Its window was closed, or its line hung up.
  case closed
  /// It has taken no output for too long.
  case stuck
  /// The process has no descriptors or memory left.
  case noResources(errno: Int32)
}

extension TerminalError: CustomStringConvertible {
  /// One line for people.
  package var description: String {
    switch self {
    case .noTerminal(let errno): "no terminal: \(String(cString: strerror(errno)))"
    case .cannotDraw(let name):
      "the terminal shows only text (TERM=\(name)); a screen cannot be drawn on it"
    case .inBackground: "the terminal belongs to another job"
    case .alreadyOpen: "the terminal is in use by this process"
    case .closed: "the terminal was closed"
    case .stuck: "the terminal takes no output"
    case .noResources(let errno):
      "cannot wait for the terminal: \(String(cString: strerror(errno)))"
    }
  }
}
