internal import Redaction
internal import SurfThreads
package import SurfValues
internal import ValueCoding

/// A request over a network whose start has been recorded. The caller ends it once, by one of the
/// functions.
package struct StartedRequest: Sendable {
  private let report: RequestReport
  private let recorder: Recorder
  /// Identifies the record that says it has started.
  package let id: RecordID?
  /// The start's parent.
  private let parent: RecordID?
  private let words: Words
  private let site: CallSite
  /// Nanoseconds, by `uptimeNow()`.
  private let uptime: Int64

  /// What the log lines begin with.
  private struct Words {
    let started: String
    let finished: String
    let unfinished: String

    static let sent = Words(started: "started", finished: "finished", unfinished: "unfinished")
    static let received = Words(
      started: "received", finished: "answered", unfinished: "unanswered")
  }

  fileprivate init(
    _ report: RequestReport, isReceived: Bool, _ recorder: Recorder, parent: RecordID?,
    at site: CallSite
  ) {
    self.report = report
    words = isReceived ? .received : .sent
    self.recorder = recorder
    self.site = site
    uptime = uptimeNow()
    self.parent = parent ?? TaskCause.record
    id = recorder.log(
      RequestLine(word: words.started, report: report), .debug, parent: self.parent, at: site)
  }

  package func finish(status: Int, sentSize: Int?, receivedSize: Int?, at site: CallSite) {
    end(status < 400 ? .info : .warning, words.finished, at: site) { report in
      report.status = status
      report.sentSize = sentSize
      report.receivedSize = receivedSize
      return ": \(status)"
    }
  }

  package func fail(_ error: any Error, at site: CallSite) {
    end(.error, "failed", at: site) { report in
      // The text of an error often contains the URL.
      let reason = tellsURLs ? explanation(of: error) : String(describing: type(of: error))
      report.error = reason
      return ": \(reason)"
    }
  }

  /// Its end will never be known.
  package func abandon() { end(.warning, words.unfinished, at: site) { _ in "" } }

  private var tellsURLs: Bool {
    let report = Array(#"{"url":""}"#.utf8)
    do throws(NoJSON) {
      return try recorder.settings.coder.redact(report) == report
    } catch {
      return false
    }
  }

  private func end(
    _ level: TransceiverLevel, _ word: String, at site: CallSite,
    _ tell: (inout RequestReport) -> String
  ) {
    var report = report
    // Rounded to microseconds.
    report.milliseconds = Double((uptimeNow() &- uptime) / 1_000) / 1_000
    let ending = tell(&report)
    let line = RequestLine(word: word, report: report, ending: ending)
    // The task that ends it need not be the one that started it.
    _ = recorder.log(line, level, parent: id ?? parent, at: site)
  }
}

extension Recorder {
  package func start(
    method: String, url: String, isReceived: Bool, parent: RecordID?, at site: CallSite
  ) -> StartedRequest {
    StartedRequest(
      RequestReport(method: method, url: url), isReceived: isReceived, self, parent: parent,
      at: site)
  }
}

/// The attributes of a request's log records.
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
