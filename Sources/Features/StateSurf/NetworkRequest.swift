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
        method: method(), url: url(), isReceived: false, parent: parent,
        at: .call(file: file, line: line)))
  }

  /// Records a request that the program has received, and is the cause of all that `body` records.
  /// Report the response to the argument.
  ///
  ///     try await transceiver.withRequest(method: "GET", url: "/cart") { request in
  ///       let response = try await cart.answer()
  ///       request.finished(status: response.status)
  ///       return response
  ///     }
  ///
  /// `received GET /cart` becomes a log record at level `debug`. Its end is `answered GET /cart:
  /// 200`, or `failed GET /cart` with the error that `body` throws. What `body` and the tasks that
  /// it starts record has this request as its parent, unless they name another.
  ///
  /// - Parameter url: Shown as it is, as in `request(method:url:)`.
  @discardableResult
  public func withRequest<Result, Failure>(
    method: @autoclosure () -> String, url: @autoclosure () -> String, parent: RecordID? = nil,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID,
    line: UInt = #line, _ body: (NetworkRequest) async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    guard let recorder = openRecorder else { return try await body(.unseen) }
    let request = NetworkRequest(
      recorder.start(
        method: method(), url: url(), isReceived: true, parent: parent,
        at: .call(file: file, line: line)))
    do throws(Failure) {
      return try await withParent(request.id) { () async throws(Failure) -> Result in
        try await body(request)
      }
    } catch {
      request.failed(error, file: file, line: line)
      throw error
    }
  }
}

/// A request that has started. The program reports once how it ended, from any thread.
///
/// If the last reference is dropped before that, a warning says `unfinished GET https://…`, or
/// `unanswered GET /cart` of a request received.
public final class NetworkRequest: Sendable {
  /// Names the record of its start as a parent; nil if nothing was recorded.
  public let id: RecordID?
  /// Nil once the end has been reported.
  private let started: Monitor<StartedRequest?>

  /// For a transceiver that is off or suspended.
  fileprivate static let unseen = NetworkRequest(nil)

  fileprivate init(_ started: StartedRequest?) {
    id = started?.id
    self.started = Monitor(started)
  }

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
