internal import SurfThreads

extension Transceiver {
  /// Records a request that the program sends over a network. Report its end to the result.
  ///
  /// `started GET https://…` becomes a log record at level `debug`, with method and URL as its
  /// attributes. It is the parent of the record of the end, so that viewers show both together.
  ///
  /// - Parameter url: Shown as it is, so leave secrets out. Or redact `url`: then the records say
  ///   nothing about the request.
  public func request(
    method: @autoclosure () -> String, url: @autoclosure () -> String, parent: RecordID? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> NetworkRequest {
    guard let recorder = openRecorder else { return .unseen }
    return NetworkRequest(
      recorder.start(
        method: method(), url: url(), parent: parent, at: .call(file: file, line: line)))
  }
}

/// A request that has started. The program reports once how it ended, from any thread.
///
/// If the last reference is dropped before that, a warning says `unfinished GET https://…`.
public final class NetworkRequest: Sendable {
  /// Nil once the end has been reported.
  private let started: Monitor<StartedRequest?>

  /// For a transceiver that is off or suspended.
  fileprivate static let unseen = NetworkRequest(nil)

  fileprivate init(_ started: StartedRequest?) { self.started = Monitor(started) }

  deinit { take()?.abandon() }

  /// Reports a response: a log record at level `info`, or `warning` for a status of 400 or more.
  ///
  /// - Parameters:
  ///   - sentSize: Octets of the request's body, if known.
  ///   - receivedSize: Octets of the response's body, if known.
  public func finished(
    status: Int, sentSize: Int? = nil, receivedSize: Int? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    take()?.finish(
      status: status, sentSize: sentSize, receivedSize: receivedSize,
      at: .call(file: file, line: line))
  }

  /// Reports a request without a response: a log record at level `error`.
  public func failed(_ error: any Error, file: StaticString = #fileID, line: UInt = #line) {
    take()?.fail(error, at: .call(file: file, line: line))
  }

  private func take() -> StartedRequest? { started.withLock { $0.take() } }
}
