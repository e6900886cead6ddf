#if !Live
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
