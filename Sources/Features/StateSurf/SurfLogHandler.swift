/// A log handler in the shape of swift-log's. Viewers show its lines among the actions.
///
/// StateSurf depends on no package, so the logger's types are parameters, and the program declares
/// the conformance in a few lines (Sources/Libraries.md). Each copy has its own level and
/// metadata. A level that a transceiver does not have is kept in the message.
public struct SurfLogHandler<Level: Sendable, Message, Value: Sendable, Provider: Sendable>:
  Sendable
{
  /// The lowest level that the logger lets through. The logger compares, not this.
  public var logLevel: Level
  /// Attributes of every line.
  public var metadata: [String: Value] = [:]
  /// Provides more attributes for every line.
  public var metadataProvider: Provider?

  private let transceiver: Transceiver
  private let label: String
  private let provided: @Sendable (Provider) -> [String: Value]

  /// A handler that records to `transceiver`, and does nothing while that is off or suspended.
  ///
  /// - Parameters:
  ///   - label: The logger's name, the attribute `label` of every line unless it is empty.
  ///   - provided: Returns what a provider provides. Called on the thread that logs.
  public init(
    _ transceiver: Transceiver, label: String, logLevel: Level, metadataProvider: Provider? = nil,
    provided: @escaping @Sendable (Provider) -> [String: Value]
  ) {
    self.transceiver = transceiver
    self.label = label
    self.logLevel = logLevel
    self.metadataProvider = metadataProvider
    self.provided = provided
  }

  /// One entry of the metadata; `nil` removes it.
  public subscript(metadataKey key: String) -> Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Logs a line. Its metadata takes precedence over the provider's, and that over the handler's.
  public func log(
    level: Level, message: Message, metadata: [String: Value]?, source: String, file: String,
    function: String, line: UInt
  ) {
    guard let recorder = transceiver.openRecorder else { return }
    var values = self.metadata
    for more in [metadataProvider.map(provided), metadata] {
      values.merge(more ?? [:]) { _, newer in newer }
    }
    let attributes = LoggerMetadata(label: label, values: values)
    _ = recorder.log(
      String(describing: message), Transceiver.Level(named: String(describing: level)),
      attributes: attributes.isEmpty ? nil : attributes, parent: nil,
      at: .logger(file: file, line: line))
  }
}

/// A logger's metadata. It is encoded on the encoding thread, not on the thread that logs.
struct LoggerMetadata<Value: Sendable>: Encodable, Sendable {
  let label: String
  let values: [String: Value]

  var isEmpty: Bool { label.isEmpty && values.isEmpty }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    var pieces = values.mapValues { LoggerPiece<Value>.value($0) }
    if !label.isEmpty, pieces["label"] == nil { pieces["label"] = .text(label) }
    try container.encode(pieces)
  }
}

/// An entry of the metadata. swift-log's is an enum of texts, lists, dictionaries, and values that
/// describe themselves. This recognizes its cases by their payloads.
private enum LoggerPiece<Value: Sendable>: Encodable, Sendable {
  case text(String)
  case value(Value)

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .value(let value):
      switch Self.held(by: value) {
      case let text as String: try container.encode(text)
      case let number as Int: try container.encode(number)
      case let flag as Bool: try container.encode(flag)
      // JSON has no other numbers.
      case let number as Double where number.isFinite: try container.encode(number)
      case let pieces as [String: Value]: try container.encode(pieces.mapValues(Self.value))
      case let pieces as [Value]: try container.encode(pieces.map(Self.value))
      default: try container.encode(String(describing: value))
      }
    }
  }

  private static func held(by value: Value) -> Any {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .enum, let child = mirror.children.first else { return value }
    return child.value
  }
}
