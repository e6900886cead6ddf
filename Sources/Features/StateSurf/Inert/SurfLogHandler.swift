#if !Live
  /// The end of a logger that no viewer sees: this program was built without the trait `Live`.
  public struct SurfLogHandler<Level: Sendable, Message, Value: Sendable, Provider: Sendable>:
    Sendable
  {
    /// The least level that the logger lets through.
    public var logLevel: Level
    /// Kept, and sent nowhere.
    public var metadata: [String: Value] = [:]
    /// Never asked.
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

    /// One piece of the metadata; `nil` removes it.
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
    /// Tells of nothing.
    public func request(
      method: @autoclosure () -> String, url: @autoclosure () -> String, parent: RecordID? = nil,
      file: StaticString = #fileID, line: UInt = #line
    ) -> NetworkRequest { .unseen }
  }

  /// A request that no viewer sees: this program was built without the trait `Live`.
  public final class NetworkRequest: Sendable {
    static let unseen = NetworkRequest()

    private init() {}

    /// Tells of nothing.
    public func finished(
      status: Int, sentSize: Int? = nil, receivedSize: Int? = nil, file: StaticString = #fileID,
      line: UInt = #line
    ) {}

    /// Tells of nothing.
    public func failed(_ error: any Error, file: StaticString = #fileID, line: UInt = #line) {}
  }
#endif
