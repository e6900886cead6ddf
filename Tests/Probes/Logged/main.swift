// A program of another package, built by Tests/Network/consumer.sh: its logger writes to StateSurf.
import Logging
import StateSurf

// swift-format-ignore: AvoidRetroactiveConformances
extension SurfLogHandler: @retroactive _SwiftLogSendableLogHandler, @retroactive LogHandler
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

let transceiver = Transceiver(name: "Logged")
transceiver.resume()
LoggingSystem.bootstrap { label in
  SurfLogHandler(transceiver, label: label, logLevel: .info) { $0.get() }
}
