package import SurfWire

// Levels of logs by the names of a browser's console, to which front ends map them.
extension LogLevel {
  /// The level of that name, in upper or lower case; nil if no level has it.
  package init?(consoleName name: String) {
    switch name.lowercased() {
    case "trace", "verbose": self = .trace
    case "debug": self = .debug
    case "info", "log", "": self = .info
    case "warn", "warning": self = .warning
    case "error", "critical", "fatal": self = .error
    default: return nil
    }
  }

  /// The name of the console's method.
  package var consoleName: String {
    switch self {
    case .trace: "trace"
    case .debug: "debug"
    case .info: "info"
    case .warning: "warn"
    case .error: "error"
    }
  }
}
