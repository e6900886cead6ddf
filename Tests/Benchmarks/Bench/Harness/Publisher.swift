import Foundation
import StateSurf

/// The harness's publisher: a program that records its states.
struct Publisher {
  private let options: HarnessOptions
  private let directory: RunDirectory

  init(_ options: HarnessOptions) {
    self.options = options
    directory = RunDirectory(path: options.directory)
  }

  func run() -> Int32 {
    sharpenTimers()
    Termination.watch()
    let transceiver = Transceiver(name: "statesurf-bench", configuration: configuration)
    transceiver.resume()
    var source = MessageSource(options)
    let isWarm = warmUp(transceiver, &source)
    usleep(100_000)
    var report = PublisherReport(isWarm: isWarm, began: nanoseconds())
    send(through: transceiver, &source, &report)
    directory.touch("sent")
    report.noteSent()
    let end = report.began + seconds(options.limit + 8)
    wait(until: end) { directory.has("stop") }
    directory.write(report.text, to: "pub.json")
    if options.wantsStatistics { complain("pub \(transceiver.counters)") }
    transceiver.suspend()
    return 0
  }

  private var configuration: Transceiver.Configuration {
    var configuration = Transceiver.Configuration()
    configuration.interface = options.interface == "lo" ? .loopback : .lan(options.interface)
    configuration.group = options.group
    configuration.port = options.port
    configuration.registersDNSSD = false
    configuration.whenFull = .wait
    if let size = options.historySize { configuration.historySizeMax = size }
    configuration.sendsDeltas = !options.sendsWhole
    configuration.key = options.keyPath.map { .file($0) } ?? .off
    return configuration
  }

  /// Sends warm-ups until every subscriber has one; true if that came about.
  private func warmUp(_ transceiver: Transceiver, _ source: inout MessageSource) -> Bool {
    wait(until: nanoseconds() + seconds(15)) {
      directory.hasAll("ready", count: options.subscribers)
    }
    let end = nanoseconds() + seconds(12)
    while !isWarm, nanoseconds() < end, !Termination.isWanted {
      let state = source.next(0, at: nanoseconds())
      transceiver.record(action: "m", state: state, contentType: Self.contentType)
      wait(until: nanoseconds() + 20_000_000) { isWarm }
    }
    return isWarm
  }

  private var isWarm: Bool { directory.hasAll("warm", count: options.subscribers) }
  private static let contentType = "application/octet-stream"

  private func send(
    through transceiver: Transceiver, _ source: inout MessageSource,
    _ report: inout PublisherReport
  ) {
    report.calls.reserveCapacity(options.count)
    let end = report.began + seconds(options.limit * 0.8)
    for sequence in 0..<UInt64(options.count) {
      guard let time = due(sequence, since: report.began), time <= end else { return }
      let state = source.next(sequence + 1, at: time)
      let before = nanoseconds()
      transceiver.record(action: "m", state: state, contentType: Self.contentType)
      report.calls.append(UInt32(clamping: nanoseconds() - before))
    }
  }

  /// Waits for a message's turn. The time that it says: when it was due, if it is late.
  private func due(_ index: UInt64, since began: UInt64) -> UInt64? {
    guard !Termination.isWanted else { return nil }
    guard options.rate > 0 else { return nanoseconds() }
    let due = began + UInt64(Double(index) * 1e9 / options.rate)
    if nanoseconds() < due { sleep(until: due) }
    let now = nanoseconds()
    return now > due + 1_000_000 ? due : now
  }

  private func wait(until end: UInt64, for isSo: () -> Bool) {
    while !isSo(), nanoseconds() < end, !Termination.isWanted { usleep(2_000) }
  }
}

func seconds(_ seconds: Double) -> UInt64 { UInt64(max(0, seconds) * 1e9) }
