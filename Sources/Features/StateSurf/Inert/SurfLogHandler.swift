#if !Live
  /// Shows no line to any viewer, because this program was built without the trait `Live`.
  public struct SurfLogHandler<Level: Sendable, Message, Value: Sendable, Provider: Sendable>:
    Sendable
  {
    /// The lowest level that the logger lets through.
    public var logLevel: Level
    /// Stored, but sent nowhere.
    public var metadata: [String: Value] = [:]
    /// Never called.
    public var metadataProvider: Provider?

    /// Never calls `provided`.
    public init(
      _ transceiver: Transceiver, label: String, logLevel: Level,
      metadataProvider: Provider? = nil,
      provided: @escaping @Sendable (Provider) -> [String: Value]
    ) {
      self.logLevel = logLevel
      self.metadataProvider = metadataProvider
    }

    /// One entry of the metadata; `nil` removes it.
    public subscript(metadataKey key: String) -> Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    /// Logs nothing.
    public func log(
      level: Level, message: Message, metadata: [String: Value]?, source: String, file: String,
      function: String, line: UInt
    ) {}
  }

  extension Transceiver {
    /// Records nothing.
    public func request(
      method: @autoclosure () -> String, url: @autoclosure () -> String, parent: RecordID? = nil,
      file: StaticString = #fileID, line: UInt = #line
    ) -> NetworkRequest { .unseen }
  }

  /// A request that no viewer sees, because this program was built without the trait `Live`.
  public final class NetworkRequest: Sendable {
    static let unseen = NetworkRequest()

    private init() {}

    /// Records nothing.
    public func finished(
      status: Int, sentSize: Int? = nil, receivedSize: Int? = nil, file: StaticString = #fileID,
      line: UInt = #line
    ) {}

    /// Records nothing.
    public func failed(_ error: any Error, file: StaticString = #fileID, line: UInt = #line) {}
  }
#endif
