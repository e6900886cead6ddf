import DevTools
import Dispatch
import Foundation
import StateSurf
import SurfStore
import SurfTimeline
import SurfWire

// Resident memory for each record of 5,000 octets of state that is kept, the state included.
extension Benchmark {
  private static let recordCount = 10_000

  static let memory: [Benchmark] = [
    Benchmark(
      name: "memory-app", summary: "resident memory of the app per record of 5 KB in its history",
      run: appGrowth),
    Benchmark(
      name: "memory-timeline", summary: "resident memory of a viewer's timeline per row of 5 KB",
      run: timelineGrowth),
    Benchmark(
      name: "memory-view", summary: "the same per row of 100 KB that differs in ten octets",
      run: viewGrowth),
    Benchmark(
      name: "memory-devtools",
      summary: "resident memory of DevTools with its 200 entries of 5 KB",
      run: devToolsGrowth),
  ]

  /// With its thread, and after as many entries were evicted; the states' own memory counts too, as
  /// far as they do not share it.
  private static func devToolsGrowth() -> Measurement {
    let isWritten = DispatchSemaphore(value: 0)
    let usual = DevToolsEnvironment.live(for: TodoList.self)
    let environment = DevToolsEnvironment.live(
      encodeState: { state in
        defer { isWritten.signal() }
        return usual.encodeState(state)
      }, decodeState: usual.decodeState)
    // The first one loads what all of them use.
    keep(usual.encodeState(TodoList()))
    let before = residentSize()
    let tools = DevTools(
      initial: TodoList(), reducer: Reducer<Int, TodoList>.reduce { $1.toggle($0) },
      environment: environment)
    isWritten.wait()
    for index in 0..<400 {
      tools.store.dispatch(index)
      isWritten.wait()
    }
    let growth = residentSize() - before
    keep(tools)
    return .single(Double(growth) / 1_024, unit: "KiB", of: "history of 200")
  }

  private static func appGrowth() throws -> Measurement {
    let app = LoopbackApp(historySizeMax: 256 << 20, whenFull: .wait)
    app.transceiver.resume()
    // The first ones start threads and fill pools.
    try record(500, with: app)
    let before = residentSize()
    try record(recordCount, with: app)
    return perRecord(residentSize() - before)
  }

  private static func perRecord(_ size: Int) -> Measurement {
    .single(Double(size) / Double(recordCount), unit: "B", of: "run of \(recordCount)")
  }

  private static func record(_ count: Int, with app: borrowing LoopbackApp) throws {
    let template = Message.template(size: 5_000)
    for index in 0..<count {
      var state = template
      state[0] = UInt8(truncatingIfNeeded: index)
      app.transceiver.record(action: "m", state: state, contentType: Samples.contentType)
    }
    try app.settle()
  }

  private static func timelineGrowth() -> Measurement {
    var timeline = Timeline()
    let before = residentSize()
    for number in 1...UInt64(recordCount) {
      timeline.append(Samples.record(number, stateSize: 5_000))
    }
    let growth = residentSize() - before
    keep(timeline)
    return perRecord(growth)
  }

  private static func viewGrowth() throws -> Measurement {
    let size = 100_000
    let datagrams = try Samples.datagrams(of: Samples.deltas(recordCount, stateSize: size), size)
    var (viewer, timeline) = (Samples.follower(), Timeline())
    let before = residentSize()
    for (datagram, now) in datagrams {
      for output in try Samples.outputs(of: datagram, from: &viewer, at: now) {
        guard case .record(_, let arrived) = output else { continue }
        timeline.append(arrived.record, from: arrived.origin)
      }
    }
    let growth = residentSize() - before
    keep(timeline)
    return perRecord(growth)
  }
}

/// Octets of this process that are in memory now.
private func residentSize() -> Int {
  let text: String
  do { text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8) } catch { return 0 }
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * Int(getpagesize())
}
