internal import SurfWire

extension Transceiver {
  /// How much a log line matters.
  public enum Level: Hashable, Sendable {
    case trace, debug, info, warning, error
    /// A level of the program's own logger. Its lines count as `info`, those of `critical` and
    /// `fatal` as `error`, and begin with its name: `[notice] saved`.
    case other(String)

    /// The level of that name, in upper or lower case; `warn` is `warning`.
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

    /// Protocol.md §8.1 knows five levels, and every viewer shows the message.
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
  /// Leaves a line of a log, and what came with it.
  func log(
    _ message: String, _ level: Transceiver.Level, with attributes: (any Encodable & Sendable)?,
    source: CallSite, parent: RecordID?
  ) -> RecordID? {
    var entry = Entry(.log(level.wire), level.marked(message), source: source, parent: parent)
    if let attributes { entry.payload = .value(attributes) }
    return mailbox.add(entry)
  }

  /// Leaves the line of a request, and its report.
  func log(
    _ line: RequestLine, _ level: Transceiver.Level, source: CallSite, parent: RecordID?
  ) -> RecordID? {
    var entry = Entry(kind: .log(level.wire), subject: line, source: source, parent: parent)
    entry.payload = .value(line.report)
    return mailbox.add(entry)
  }
}
