package import SurfWire

// RemoteInspector's front ends print log lines with the methods of a browser's console.
extension LogLevel {
  /// Ignores case. Nil if no level has the name.
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

  /// The console method, such as `warn`.
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
