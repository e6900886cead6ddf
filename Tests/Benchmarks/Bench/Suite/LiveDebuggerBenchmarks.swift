import Foundation
import StateSurf
import SurfTransport
import TestSupport

// The command `statesurf surf` on a terminal of 120 by 40, beside an app on loopback.
extension Benchmark {
  static let liveDebugger: [Benchmark] = [
    Benchmark(
      name: "debugger-idle-cpu", summary: "share of a core while nothing happens",
      budget: .worst(0.1)
    ) {
      let scene = try LiveScene()
      try scene.wait(3)
      let before = try scene.viewer.processorTime
      try scene.wait(idleDuration)
      let used = try scene.viewer.processorTime - before
      return .single(100 * used / idleDuration, unit: "%", of: idleKind)
    },
    Benchmark(
      name: "debugger-idle-octets", summary: "octets to the terminal while nothing happens",
      budget: .worst(0)
    ) {
      let scene = try LiveScene()
      try scene.wait(3)
      let before = scene.viewer.output.count
      try scene.wait(idleDuration)
      return .single(
        Double(scene.viewer.output.count - before), unit: "octets", of: idleKind)
    },
    Benchmark(
      name: "debugger-flood-frames", summary: "frames a second while 10,000 records a second come",
      budget: .worst(31)
    ) {
      let scene = try LiveScene()
      try scene.flood(2)
      let rates = try (0..<10).map { _ in
        let (before, start) = (scene.viewer.frameCount, nanoseconds())
        try scene.flood(1)
        return Double(scene.viewer.frameCount - before) * 1e9 / Double(nanoseconds() - start)
      }
      return Measurement(rates, unit: "/s", of: "seconds")
    },
    Benchmark(
      name: "debugger-flood-keys", summary: "from a key to its frame, in the same flood",
      budget: .median(50)
    ) {
      let scene = try LiveScene()
      try scene.flood(2)
      return Measurement(
        try (0..<100).map { _ in try latency(in: scene) }, unit: "ms", of: "keys")
    },
    Benchmark(
      name: "debugger-flood-memory",
      summary: "the viewer's memory at most, while 200,000 records of 5 KB came in 20 s",
      budget: .worst(512)
    ) {
      let scene = try LiveScene(stateSize: 5_000)
      try scene.flood(20)
      return .single(
        try scene.viewer.memory(at: "VmHWM") / 1_024, unit: "MiB", of: "run of 20 s")
    },
  ]

  private static let idleDuration = 20.0
  private static let idleKind = "run of \(Int(idleDuration)) s"

  /// By the key that paints the whole screen anew, which nothing else does.
  private static func latency(in scene: LiveScene) throws -> Double {
    let from = scene.viewer.output.count
    let start = nanoseconds()
    scene.viewer.type("\u{C}")
    guard try scene.flood(5, until: { scene.viewer.shows("\u{1B}[2J", since: from) }) else {
      throw BenchmarkFailure("a key was not answered")
    }
    let latency = Double(nanoseconds() - start) / 1e6
    try scene.flood(0.1)
    return latency
  }
}

/// An app, and the debugger that shows it.
private final class LiveScene {
  let viewer: ViewerProcess
  private let app = LoopbackApp()
  private var state: [UInt8]
  private var count = 0
  private var random = SeededGenerator(seed: 1)

  init(stateSize: Int = 200) throws {
    state = Array(repeating: 0x61, count: stateSize)
    app.transceiver.resume()
    viewer = try ViewerProcess(port: app.port)
    record()
    guard try viewer.run(for: 20, until: { self.viewer.shows("row 1 ") }) else {
      throw BenchmarkFailure("the viewer does not show the app")
    }
  }

  /// No two octets of a state are as they were.
  private func record() {
    count += 1
    for index in state.indices { state[index] = UInt8(truncatingIfNeeded: random.next()) }
    app.transceiver.record(
      action: "action \(count)", state: state, contentType: Samples.contentType)
  }

  /// The app is idle.
  func wait(_ seconds: Double) throws { _ = try viewer.run(for: seconds) { false } }

  /// The app does 10,000 things a second, ten in a millisecond, until it is so.
  ///
  /// - Returns: false if it did not become so in time.
  @discardableResult
  func flood(_ seconds: Double, until isSo: () -> Bool = { false }) throws -> Bool {
    let start = nanoseconds()
    for tick in 0..<UInt64(seconds * 1_000) {
      for _ in 0..<10 { record() }
      try viewer.take()
      if isSo() { return true }
      sleep(until: start + tick * 1_000_000)
    }
    return false
  }
}
