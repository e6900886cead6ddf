/// The end of a logger that is shaped like swift-log's: its lines are seen among the actions.
///
/// StateSurf depends on no package, so the logger's types are parameters, and the program says in a
/// few lines that this is a `LogHandler` (Sources/Instrumenting.md has them). Each copy has a level
/// and metadata of its own. A level that a transceiver does not know is kept in the message.
public struct SurfLogHandler<Level: Sendable, Message, Value: Sendable, Provider: Sendable>:
  Sendable
{
  /// The least level that the logger lets through; the logger compares, not this.
  public var logLevel: Level
  /// What goes with every line, as attributes.
  public var metadata: [String: Value] = [:]
  /// Asked at every line for more of it.
  public var metadataProvider: Provider?

  private let transceiver: Transceiver
  private let label: String
  private let provided: @Sendable (Provider) -> [String: Value]

  /// Writes to `transceiver`, and does nothing while that is off or suspended.
  ///
  /// - Parameters:
  ///   - label: The logger's name, which goes with every line as `label`, unless it is empty.
  ///   - provided: What a provider provides; called on the thread that logs.
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

  /// One piece of the metadata; `nil` removes it.
  public subscript(metadataKey key: String) -> Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Logs a line. Its metadata is worth more than the provider's, and that more than the handler's.
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
