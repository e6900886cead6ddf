import Foundation
import StateSurf
import SurfWire
import Testing

@Suite struct NetworkRequestTests {
  private let bench = Bench()
  private let url = "https://a.example/x?y=1"

  private func records(
    redacting paths: [String] = [], _ body: (Transceiver) -> Void
  ) -> [Record] {
    var configuration = Transceiver.Configuration()
    configuration.redacted = paths
    let transceiver = bench.transceiver(configuration)
    transceiver.resume()
    body(transceiver)
    transceiver.flush(timeout: .seconds(60))
    return bench.sink.records
  }

  private func report(_ record: Record) throws -> [String: Any] {
    let payload = try #require(record.payload)
    let value = try JSONSerialization.jsonObject(with: Data(payload.bytes))
    return try #require(value as? [String: Any])
  }

  @Test func `a request is a line when it starts, and another when it ends`() throws {
    let records = records {
      let request = $0.request(method: "GET", url: url)
      $0.log("meanwhile")
      request.finished(status: 200, sentSize: 0, receivedSize: 512)
    }
    #expect(records.map(\.kind) == [.log(.debug), .log(.info), .log(.info)])
    #expect(
      records.map(\.name) == ["started GET \(url)", "meanwhile", "finished GET \(url): 200"])
    #expect(records.map(\.parent) == [0, 0, 1])
    #expect(Set(try report(records[0]).keys) == ["method", "url"])
    let end = try report(records[2])
    #expect(
      Set(end.keys) == ["method", "url", "status", "sentSize", "receivedSize", "milliseconds"])
    #expect(end["status"] as? Int == 200 && end["receivedSize"] as? Int == 512)
    #expect(try #require(end["milliseconds"] as? Double) >= 0)
  }

  @Test(arguments: [(399, LogLevel.info), (400, .warning), (503, .warning)])
  func `a status of 400 and more is a warning`(status: Int, level: LogLevel) {
    let records = records { $0.request(method: "PUT", url: url).finished(status: status) }
    #expect(records.last?.kind == .log(level))
  }

  private struct Offline: Error, CustomStringConvertible { let description = "no route\u{1B}" }

  @Test func `a failure is an error, with its reason`() throws {
    let records = records { $0.request(method: "GET", url: url).failed(Offline()) }
    #expect(records.map(\.kind) == [.log(.debug), .log(.error)])
    #expect(records.last?.name == "failed GET \(url): no route\u{1B}")
    #expect(try report(records[1])["error"] as? String == "no route\u{1B}")
  }

  @Test func `a request that is dropped says so, where it started`() {
    let line: UInt = #line + 1
    let records = records { _ = $0.request(method: "GET", url: url) }
    #expect(records.map(\.kind) == [.log(.debug), .log(.warning)])
    #expect(records.last?.name == "unfinished GET \(url)")
    #expect(records.map(\.parent) == [0, 1])
    #expect(
      records.map(\.source)
        == Array(repeating: "StateSurfTests/NetworkRequestTests.swift:\(line)", count: 2))
  }

  @Test func `a request ends once, on whichever thread`() {
    let records = records { transceiver in
      let request = transceiver.request(method: "GET", url: url)
      DispatchQueue.concurrentPerform(iterations: 8) { number in
        if number.isMultiple(of: 2) {
          request.finished(status: 200 + number)
        } else {
          request.failed(Offline())
        }
      }
    }
    #expect(records.count == 2)
  }

  private struct Refused: Error, CustomStringConvertible {
    let description = "https://h/?token=canary was refused"
  }

  @Test(arguments: ["url", "$", "**.url"])
  func `what is redacted in a report stands in no line either`(path: String) {
    let url = "https://h/?token=canary"
    let records = records(redacting: [path]) {
      $0.request(method: "GET", url: url).finished(status: 200)
      $0.request(method: "GET", url: url).failed(Refused())
      _ = $0.request(method: "GET", url: url)
    }
    let wanted = ["started …", "finished …", "started …", "failed …", "started …", "unfinished …"]
    #expect(records.map(\.name) == wanted)
    #expect(records.filter(\.hasCanary) == [])
  }

  @Test func `an error that is redacted stands in no line either`() {
    let records = records(redacting: ["error"]) {
      $0.request(method: "GET", url: url).failed(Refused())
    }
    let wanted = ["started GET \(url)", "failed …"]
    #expect(records.map(\.name) == wanted)
    #expect(records.filter(\.hasCanary) == [])
  }

  @Test func `while the transceiver is off, nothing is evaluated`() {
    let transceiver = bench.transceiver(environment: ["STATESURF": "off"])
    func evaluated() -> String {
      Issue.record("an argument was evaluated")
      return ""
    }
    transceiver.request(method: evaluated(), url: evaluated()).finished(status: 200)
    #expect(bench.configurations.isEmpty)
  }
}
