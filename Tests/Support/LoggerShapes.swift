// Types shaped like swift-log's, for the adapter to it: the requirements of a handler, and the two
// ways to log, each of which calls the other unless a handler implements it.

public protocol _SwiftLogSendableLogHandler: Sendable {}

public protocol LogHandler: _SwiftLogSendableLogHandler {
  var logLevel: Logger.Level { get set }
  var metadata: Logger.Metadata { get set }
  var metadataProvider: Logger.MetadataProvider? { get set }
  subscript(metadataKey _: String) -> Logger.Metadata.Value? { get set }
  func log(event: LogEvent)
  func log(
    level: Logger.Level, message: Logger.Message, metadata: Logger.Metadata?, source: String,
    file: String, function: String, line: UInt)
}

extension LogHandler {
  public func log(event: LogEvent) {
    log(
      level: event.level, message: event.message, metadata: event.metadata, source: event.source,
      file: event.file, function: event.function, line: event.line)
  }

  public func log(
    level: Logger.Level, message: Logger.Message, metadata: Logger.Metadata?, source: String,
    file: String, function: String, line: UInt
  ) {
    log(
      event: LogEvent(
        level: level, message: message, metadata: metadata, source: source, file: file,
        function: function, line: line))
  }
}

public struct LogEvent: Sendable {
  public var level: Logger.Level
  public var message: Logger.Message
  public var metadata: Logger.Metadata?
  public var source: String
  public var file: String
  public var function: String
  public var line: UInt
}

/// Holds a handler, and compares levels for it.
public struct Logger: Sendable {
  public typealias Metadata = [String: MetadataValue]

  public enum Level: String, CaseIterable, Sendable {
    case trace, debug, info, notice, warning, error, critical
  }

  public struct Message: ExpressibleByStringInterpolation, CustomStringConvertible, Sendable {
    public let description: String
    public init(stringLiteral value: String) { description = value }
  }

  public enum MetadataValue: CustomStringConvertible, Sendable {
    case string(String)
    case stringConvertible(any CustomStringConvertible & Sendable)
    case dictionary(Metadata)
    case array([MetadataValue])

    public var description: String {
      switch self {
      case .string(let text): text
      case .stringConvertible(let value): value.description
      case .dictionary(let values): "\(values)"
      case .array(let values): "\(values)"
      }
    }
  }

  public struct MetadataProvider: Sendable {
    public let get: @Sendable () -> Metadata
    public init(_ get: @escaping @Sendable () -> Metadata) { self.get = get }
  }

  public var handler: any LogHandler

  public init(_ handler: any LogHandler) { self.handler = handler }

  public func log(
    _ level: Level, _ message: Message, _ metadata: Metadata? = nil, file: String = #fileID,
    line: UInt = #line
  ) {
    let levels = Level.allCases
    guard levels.firstIndex(of: level)! >= levels.firstIndex(of: handler.logLevel)! else { return }
    handler.log(
      event: LogEvent(
        level: level, message: message, metadata: metadata, source: "Tests", file: file,
        function: "", line: line))
  }
}

/// Makes the handlers of loggers.
public struct LoggingSystem: Sendable {
  private let factory: @Sendable (String) -> any LogHandler

  @discardableResult
  public static func bootstrap(
    _ factory: @escaping @Sendable (String) -> any LogHandler
  ) -> LoggingSystem {
    LoggingSystem(factory: factory)
  }

  public func logger(_ label: String) -> Logger { Logger(factory(label)) }
}
