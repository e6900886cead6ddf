internal import Redaction
internal import SurfThreads
internal import SurfWire
internal import ValueCoding

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
      RequestReport(method: method(), url: url()), recorder: recorder,
      source: .call(file: file, line: line), parent: parent)
  }
}

/// A request that has started. The program reports once how it ended, from any thread.
///
/// If the last reference is dropped before that, a warning says `unfinished GET https://…`.
public final class NetworkRequest: Sendable {
  private struct Started {
    let report: RequestReport
    let recorder: Recorder
    let id: RecordID?
    let source: CallSite
    /// Nanoseconds, by `uptimeNow()`.
    let uptime: Int64
  }

  /// Nil once the end has been reported.
  private let started: Monitor<Started?>

  /// For a transceiver that is off or suspended.
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

  /// Reports a response: a log record at level `info`, or `warning` for a status of 400 or more.
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

  /// Reports that there was no response: a log record at level `error`.
  public func failed(_ error: any Error, file: StaticString = #fileID, line: UInt = #line) {
    end(.error, source: .call(file: file, line: line), "failed") { report, coder in
      // The text of an error often contains the URL.
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

  /// - Parameter source: `nil` for the place where the request started.
  private func end(
    _ level: Transceiver.Level, source: CallSite?, _ word: String,
    _ tell: (inout RequestReport, ValueCoder) -> String
  ) {
    guard let started = started.withLock({ $0.take() }) else { return }
    var report = started.report
    // Rounded to microseconds.
    report.milliseconds = Double((uptimeNow() &- started.uptime) / 1_000) / 1_000
    let ending = tell(&report, started.recorder.settings.coder)
    let line = RequestLine(word: word, report: report, ending: ending)
    _ = started.recorder.log(
      line, level, source: source ?? started.source, parent: started.id)
  }
}

/// A request as attributes of its log records.
struct RequestReport: Encodable, Sendable {
  let method: String
  let url: String
  var status: Int?
  /// Octets.
  var sentSize: Int?
  /// Octets.
  var receivedSize: Int?
  var error: String?
  /// The request's duration.
  var milliseconds: Double?
}

/// The text about a request. The encoding thread decides whether it may name the method and URL.
struct RequestLine: Sendable {
  let word: String
  let report: RequestReport
  var ending = ""

  func text(isShort: Bool) -> String {
    isShort ? "\(word) …" : "\(word) \(report.method) \(report.url)\(ending)"
  }
}
