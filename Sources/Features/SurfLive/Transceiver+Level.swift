internal import SurfWire

extension Transceiver {
  /// The severity of a log line.
  public enum Level: Hashable, Sendable {
    case trace, debug, info, warning, error
    /// A level of the program's own logger. The line is recorded as `info`, or as `error` for
    /// `critical` and `fatal`. Its text begins with the level's name: `[notice] saved`.
    case other(String)

    /// The level with this name, in upper or lower case; `warn` is `warning`.
    public init(named name: String) {
      self =
        switch name.lowercased() {
        case "trace": .trace
        case "debug": .debug
        case "info", "": .info
        case "warning", "warn": .warning
        case "error": .error
        default: .other(name)
        }
    }

    /// Protocol.md §8.1 has five levels.
    fileprivate var wire: LogLevel {
      switch self {
      case .trace: .trace
      case .debug: .debug
      case .info: .info
      case .warning: .warning
      case .error: .error
      case .other(let name): ["critical", "fatal"].contains(name.lowercased()) ? .error : .info
      }
    }

    fileprivate func marked(_ message: String) -> String {
      if case .other(let name) = self { "[\(name)] \(message)" } else { message }
    }
  }
}

extension Recorder {
  /// Records a log line with its attributes.
  func log(
    _ message: String, _ level: Transceiver.Level, with attributes: (any Encodable & Sendable)?,
    source: CallSite, parent: RecordID?
  ) -> RecordID? {
    var entry = Entry(.log(level.wire), level.marked(message), source: source, parent: parent)
    if let attributes { entry.payload = .value(attributes) }
    return mailbox.add(entry)
  }

  /// Records a log line about a request, with the request's attributes.
  func log(
    _ line: RequestLine, _ level: Transceiver.Level, source: CallSite, parent: RecordID?
  ) -> RecordID? {
    var entry = Entry(kind: .log(level.wire), subject: line, source: source, parent: parent)
    entry.payload = .value(line.report)
    return mailbox.add(entry)
  }
}
