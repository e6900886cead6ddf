internal import SurfTTY

/// Why a program's debugger cannot open. Nothing has changed.
public enum AppDebuggerError: Error, Equatable, Sendable {
  /// The program records nothing: it has not resumed its transceiver, recording is off, or it was
  /// built without the trait `Live`.
  case notRecording
  /// The program has no terminal, as in a pipe or under a daemon.
  case noTerminal
  /// The terminal shows only text; `name` is the value of `TERM`.
  case cannotDraw(name: String)
  /// The terminal belongs to another job of the shell.
  case inBackground
  /// A debugger of this program is open already.
  case alreadyOpen
  /// A signal already opens a debugger of this program.
  case signalTaken
  /// The process has no descriptors, threads or memory left, or the terminal went away.
  case unavailable(reason: String)
}

extension AppDebuggerError: CustomStringConvertible {
  /// One line for people.
  public var description: String {
    switch self {
    case .notRecording: "the program records nothing"
    case .noTerminal: "the program has no terminal"
    case .cannotDraw(let name): "the terminal shows only text (TERM=\(name))"
    case .inBackground: "the terminal belongs to another job"
    case .alreadyOpen: "the debugger is open already"
    case .signalTaken: "a signal opens a debugger already"
    case .unavailable(let reason): reason
    }
  }
}

extension AppDebuggerError {
  init(_ error: TerminalError) {
    self =
      switch error {
      case .noTerminal: .noTerminal
      case .cannotDraw(let name): .cannotDraw(name: name)
      case .inBackground: .inBackground
      case .alreadyOpen: .alreadyOpen
      case .closed, .stuck, .noResources: .unavailable(reason: "\(error)")
      }
  }
}
