internal import Redaction
internal import SurfThreads
internal import SurfWire
internal import ValueCoding

extension Transceiver {
  /// Tells of a request that the program sends over a network, and of what comes of it.
  ///
  /// `started GET https://…` is a line of the log at level `debug`, with the method and the URL as
  /// attributes. The line of its end names it as its parent, so that viewers show the two together.
  ///
  /// - Parameter url: Shown as it is: leave secrets out, or redact `url`, and the lines say nothing
  ///   of the request.
  public func request(
    method: @autoclosure () -> String, url: @autoclosure () -> String, parent: RecordID? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> NetworkRequest {
    guard let recorder = openRecorder else { return .unseen }
    return NetworkRequest(
      RequestReport(method: method(), url: url()), recorder: recorder,
      source: .call(file: file, line: line), parent: parent)
  }
}

/// A request on its way, until the program says how it ended; any thread may say so, once.
///
/// A request that nobody keeps, and whose end nobody told, is a warning:
/// `unfinished GET https://…`.
public final class NetworkRequest: Sendable {
  private struct Started {
    let report: RequestReport
    let recorder: Recorder
    let id: RecordID?
    let source: CallSite
    /// Nanoseconds, by `uptimeNow()`.
    let uptime: Int64
  }

  /// What began, until its end is told.
  private let started: Monitor<Started?>

  /// That of a transceiver that is off or suspended.
  static let unseen = NetworkRequest(nil)

  private init(_ started: sending Started?) { self.started = Monitor(started) }

  fileprivate convenience init(
    _ report: RequestReport, recorder: Recorder, source: CallSite, parent: RecordID?
  ) {
    let uptime = uptimeNow()
    let id = recorder.log(
      RequestLine(word: "started", report: report), .debug, source: source, parent: parent)
    self.init(
      Started(report: report, recorder: recorder, id: id, source: source, uptime: uptime))
  }

  deinit { end(.warning, source: nil, "unfinished") { _, _ in "" } }

  /// There was a response: a line at level `info`, or `warning` for a status of 400 and more.
  ///
  /// - Parameters:
  ///   - sentSize: Octets of the request's body, if known.
  ///   - receivedSize: Octets of the response's body, if known.
  public func finished(
    status: Int, sentSize: Int? = nil, receivedSize: Int? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    let level = status < 400 ? Transceiver.Level.info : .warning
    end(level, source: .call(file: file, line: line), "finished") { report, _ in
      report.status = status
      report.sentSize = sentSize
      report.receivedSize = receivedSize
      return ": \(status)"
    }
  }

  /// There was no response: a line at level `error`.
  public func failed(_ error: any Error, file: StaticString = #fileID, line: UInt = #line) {
    end(.error, source: .call(file: file, line: line), "failed") { report, coder in
      // The words of an error often have the URL in them.
      let reason =
        Self.tellsURLs(coder) ? explanation(of: error) : String(describing: type(of: error))
      report.error = reason
      return ": \(reason)"
    }
  }

  private static func tellsURLs(_ coder: ValueCoder) -> Bool {
    let report = Array(#"{"url":""}"#.utf8)
    do throws(NoJSON) {
      return try coder.redact(report) == report
    } catch {
      return false
    }
  }

  /// - Parameter source: `nil` for where it began.
  private func end(
    _ level: Transceiver.Level, source: CallSite?, _ word: String,
    _ tell: (inout RequestReport, ValueCoder) -> String
  ) {
    guard let started = started.withLock({ $0.take() }) else { return }
    var report = started.report
    // Microseconds are more than enough.
    report.milliseconds = Double((uptimeNow() &- started.uptime) / 1_000) / 1_000
    let ending = tell(&report, started.recorder.settings.coder)
    let line = RequestLine(word: word, report: report, ending: ending)
    _ = started.recorder.log(
      line, level, source: source ?? started.source, parent: started.id)
  }
}

/// What is known of a request, as a record carries it.
struct RequestReport: Encodable, Sendable {
  let method: String
  let url: String
  var status: Int?
  /// Octets.
  var sentSize: Int?
  /// Octets.
  var receivedSize: Int?
  var error: String?
  /// From its start to its end.
  var milliseconds: Double?
}

/// The line about a request. On the encoding thread it is known whether it may say what of.
struct RequestLine: Sendable {
  let word: String
  let report: RequestReport
  var ending = ""

  func text(isShort: Bool) -> String {
    isShort ? "\(word) …" : "\(word) \(report.method) \(report.url)\(ending)"
  }
}
