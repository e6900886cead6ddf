import StateSurf
import SurfWire
import TestSupport
import Testing

// As in Sources/Libraries.md, where another package says that it does so after the fact.
extension SurfLogHandler: _SwiftLogSendableLogHandler, LogHandler
where
  Level == Logger.Level, Message == Logger.Message, Value == Logger.Metadata.Value,
  Provider == Logger.MetadataProvider
{
  public func log(event: LogEvent) {
    log(
      level: event.level, message: event.message, metadata: event.metadata, source: event.source,
      file: event.file, function: event.function, line: event.line)
  }
}

@Suite struct LogHandlerTests {
  private let bench = Bench()

  private func records(_ body: (inout Logger) -> Void) -> [Record] {
    let transceiver = bench.transceiver()
    transceiver.resume()
    let logging = LoggingSystem.bootstrap { label in
      SurfLogHandler(transceiver, label: label, logLevel: .info) { $0.get() }
    }
    var logger = logging.logger("app")
    body(&logger)
    transceiver.flush(timeout: .seconds(60))
    return bench.sink.records
  }

  @Test func `a line of a logger is one of the transceiver's`() {
    let line: UInt = #line + 2
    let records = records {
      $0.log(.warning, "low \("disk")", ["free": .stringConvertible(12)])
      $0.log(.debug, "below the level")
    }
    #expect(records.map(\.kind) == [.log(.warning)])
    #expect(records.map(\.name) == ["low disk"])
    #expect(records.map(\.payload?.text) == [#"{"free":12,"label":"app"}"#])
    #expect(records.map(\.source) == ["StateSurfTests/LogHandlerTests.swift:\(line)"])
  }

  @Test func `the levels that only the logger has are kept`() {
    let records = records { logger in
      logger.handler.logLevel = .trace
      for level in Logger.Level.allCases { logger.log(level, "m") }
    }
    #expect(
      records.map(\.kind)
        == [.trace, .debug, .info, .info, .warning, .error, .error].map { .log($0) })
    #expect(
      records.map(\.name) == ["m", "m", "m", "[notice] m", "m", "m", "[critical] m"])
  }

  @Test func `metadata keeps its shape, and the nearest counts`() {
    let records = records { logger in
      logger.handler[metadataKey: "a"] = .string("handler")
      logger.handler[metadataKey: "b"] = .string("handler")
      logger.handler[metadataKey: "gone"] = .string("handler")
      logger.handler[metadataKey: "gone"] = nil
      logger.handler.metadataProvider = Logger.MetadataProvider {
        ["b": .string("provider"), "c": .string("provider")]
      }
      logger.log(
        .info, "m",
        [
          "c": .array([.stringConvertible(true), .stringConvertible(0.5)]),
          "d": .dictionary(["e": .stringConvertible(Double.nan), "label": .string("x")]),
        ])
      logger.log(.info, "m", ["label": .string("mine")])
    }
    #expect(
      records.map(\.payload?.text) == [
        #"{"a":"handler","b":"provider","c":[true,0.5],"d":{"e":"nan","label":"x"},"label":"app"}"#,
        #"{"a":"handler","b":"provider","c":"provider","label":"mine"}"#,
      ])
  }

  @Test func `a copy has a level and metadata of its own`() {
    let records = records { logger in
      var copy = logger
      copy.handler.logLevel = .error
      copy.handler[metadataKey: "copy"] = .string("yes")
      logger.log(.info, "first")
      copy.log(.info, "silent")
      copy.log(.error, "second")
    }
    #expect(records.map(\.name) == ["first", "second"])
    #expect(
      records.map(\.payload?.text)
        == [#"{"label":"app"}"#, #"{"copy":"yes","label":"app"}"#])
  }

  @Test func `a logger without types of its own will do`() {
    let transceiver = bench.transceiver()
    transceiver.resume()
    let handler = SurfLogHandler<String, String, String, Int>(
      transceiver, label: "", logLevel: "info"
    ) { _ in [:] }
    handler.log(
      level: "WARN", message: "m", metadata: nil, source: "", file: "A/b.swift", function: "",
      line: 7)
    transceiver.flush(timeout: .seconds(60))
    #expect(bench.sink.records.map(\.kind) == [.log(.warning)])
    #expect(bench.sink.records.map(\.payload) == [nil])
    #expect(bench.sink.records.map(\.source) == ["A/b.swift:7"])
  }

  @Test func `while the transceiver is off, nobody is asked for anything`() {
    let transceiver = bench.transceiver(environment: ["STATESURF": "off"])
    var handler = SurfLogHandler<String, String, String, Int>(
      transceiver, label: "app", logLevel: "info"
    ) { _ in
      Issue.record("the provider was asked")
      return [:]
    }
    handler.metadataProvider = 1
    handler.log(
      level: "info", message: "m", metadata: ["a": "b"], source: "", file: "", function: "",
      line: 0)
    #expect(bench.configurations.isEmpty)
  }
}
