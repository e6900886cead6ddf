/// A log handler in the shape of swift-log's. Viewers show its lines among the actions.
///
/// StateSurf depends on no package, so the logger's types are parameters, and the program declares
/// the conformance in a few lines (Sources/Instrumenting.md). Each copy has its own level and
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
      with: attributes.isEmpty ? nil : attributes,
      source: .logger(file: file, line: line), parent: nil)
  }
}
