import Foundation
import StateSurf

/// An app, and a viewer in a process of its own that shows it.
final class EyeScene {
  /// The figures of one run.
  struct Result {
    /// From the call of `record` until the row or a later one was written, in microseconds.
    var latencies: [Double]
    let recordedCount: Int
    /// Rows that were written; on a screen those that were still to be seen when it was drawn.
    let writtenCount: Int
    /// Microseconds of processor time for each record.
    let appTime: Double
    let viewerTime: Double
  }

  private let app = LoopbackApp()
  private let kind: EyeViewer
  private let viewer: ViewerProcess
  private let reader: EyeReader
  private var list = TodoList()
  private var stamps: [UInt64] = []

  /// - Parameter program: instead of the `statesurf` beside this program.
  init(_ kind: EyeViewer, program: String? = nil) throws {
    self.kind = kind
    app.transceiver.resume()
    viewer = try ViewerProcess(kind.words, on: kind.output, port: app.port, program: program)
    reader = try EyeReader(viewer.descriptor)
    record()
    guard wait(for: 0) else { throw BenchmarkFailure("the viewer does not show the app") }
    // Waits for the end of the start-up work.
    usleep(1_000_000)
  }

  private func record() {
    list.toggle(stamps.count)
    let name = EyeMark.name(stamps.count)
    stamps.append(nanoseconds())
    app.transceiver.record(action: name, state: list)
  }

  /// False if the row does not come.
  private func wait(for row: Int) -> Bool {
    let end = nanoseconds() + 20_000_000_000
    while nanoseconds() < end {
      if let newest = reader.newest, newest >= row { return true }
      usleep(1_000)
    }
    return false
  }

  /// Records at a rate, as evenly as the system lets a thread sleep.
  func run(count: Int, rate: Double) throws -> Result {
    let (appBefore, viewerBefore) = (ProcessorTime.now, try viewer.processorTime)
    var due = nanoseconds()
    stamps.reserveCapacity(count + 1)
    for _ in 0..<count {
      due += UInt64(1e9 / rate)
      sleep(until: due)
      record()
    }
    guard wait(for: count) else { throw BenchmarkFailure("the last row was not shown") }
    let viewerTime = try viewer.processorTime - viewerBefore
    let app = ProcessorTime.now - appBefore
    let (sights, readingTime) = reader.stop()
    let appTime = app.user + app.system - readingTime
    return Result(
      latencies: latencies(sights), recordedCount: count, writtenCount: sights.count - 1,
      appTime: 1e6 * appTime / Double(count), viewerTime: 1e6 * viewerTime / Double(count))
  }

  /// Without the first row, which was recorded before all others.
  private func latencies(_ sights: [EyeReader.Sight]) -> [Double] {
    var latencies: [Double] = []
    var row = 1
    for sight in sights.dropFirst() {
      while row <= sight.row {
        latencies.append(Double(sight.moment - stamps[row]) / 1e3)
        row += 1
      }
    }
    return latencies
  }
}
