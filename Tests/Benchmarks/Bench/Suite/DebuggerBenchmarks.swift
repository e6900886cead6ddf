import Foundation
import SurfDebugger
import SurfTimeline
import SurfViewer
import SurfWire
import TerminalScreen

// What the debugger costs for each frame: its model, its picture, and the octets of that.
extension Benchmark {
  static let debugger: [Benchmark] = [
    Benchmark(
      name: "debugger-first", summary: "the first frame of 100,000 rows, at 200 by 60",
      budget: .median(50)
    ) {
      let catalog = DebuggerScene.catalog(rowCount: 100_000)
      return measure(unit: .milliseconds) { _ in
        DebuggerScene(catalog)
      } _: {
        $0.open()
      }
    },
    frames("debugger-move", "processor time of a frame after a step to the next row", []),
    frames("debugger-tree", "the same beside the row's state as a tree", ["]", "Tab", "=", "Tab"]),
    frames("debugger-wide", "the same where the names are of emoji", [], name: "購入 👩‍👩‍👧 ❤️ "),
    Benchmark(
      name: "debugger-octets", summary: "octets to the terminal after a step to the next row",
      budget: .worst(400)
    ) {
      var scene = DebuggerScene(DebuggerScene.catalog(rowCount: 1_000))
      scene.open()
      scene.press("k")
      let counts = (0..<40).map { _ in Double(scene.press("k")) }
      return Measurement(counts, unit: "octets", of: "steps")
    },
  ]

  private static func frames(
    _ name: String, _ summary: String, _ keys: [CommandKey], name rowName: String = "increment"
  ) -> Benchmark {
    Benchmark(name: name, summary: summary, budget: .median(4)) {
      var scene = DebuggerScene(DebuggerScene.catalog(rowCount: 1_000, name: rowName))
      scene.open()
      for key in keys { scene.press(key) }
      return measure(
        repetitions: 200, unit: .milliseconds, by: threadNanoseconds
      ) { index in
        index.isMultiple(of: 40) ? "PageUp" : "k"
      } _: { key in
        scene.press(key)
      }
    }
  }
}

/// A debugger on a terminal of 200 by 60 that gets immediate answers to its requests.
private struct DebuggerScene {
  private let catalog: Catalog
  private var debugger: Debugger
  private var writer = ScreenWriter()

  init(_ catalog: Catalog) {
    self.catalog = catalog
    var setting = Debugger.Setting()
    setting.viewerName = "ada@desk"
    // Most terminals say so.
    setting.textWidth = TextWidth(isAmbiguousKnown: true)
    debugger = Debugger(setting, size: ScreenSize(width: 200, height: 60))
  }

  /// Draws the first screen.
  mutating func open() { send(.news) }

  /// - Returns: the octets that its frame takes.
  @discardableResult
  mutating func press(_ key: CommandKey) -> Int { send(.key(key)) }

  @discardableResult
  private mutating func send(_ event: DebuggerEvent) -> Int {
    var events = [event]
    while let event = events.popLast() {
      for effect in debugger.receive(event, in: catalog, at: .zero) {
        if case .inspect(let request) = effect { events.append(.inspected(inspect(request))) }
      }
    }
    return writer.bytes(toShow: DebuggerPicture.screen(of: debugger, in: catalog)).count
  }

  private func inspect(_ request: InspectionRequest) -> Inspection {
    let timeline = catalog[request.session]?.timeline
    return Inspection(
      request, state: request.state.flatMap { timeline?.state(at: $0) },
      base: request.base.flatMap { timeline?.state(at: $0) },
      payload: timeline?.row(request.row)?.record.payload)
  }

  /// One app, whose states are JSON and change in one place.
  static func catalog(rowCount: UInt64, name: String = "increment") -> Catalog {
    var catalog = Catalog()
    catalog.hear(
      Samples.session,
      Heartbeat(
        instance: InstanceID(high: 1, low: 2), app: "Bench", host: "here", processID: 1,
        contentType: "application/json", acceptsResets: true, datagramSize: 1_344))
    for number in 1...rowCount {
      let text = #"{"count":\#(number),"user":{"name":"Ada","age":36},"theme":"dark","list":["#
      let list = (0..<50).map { #"{"id":\#($0),"title":"buy milk"}"# }.joined(separator: ",")
      let state = Content(type: "application/json", bytes: Array("\(text)\(list)]}".utf8))
      catalog.append(
        Record(
          sequence: SequenceNumber(number), kind: .action,
          wallTime: 22_000_000_000_000 + Int64(number) * 500_000_000,
          uptime: number * 500_000_000, name: "\(name)\(number % 7)", source: "Main.swift:1",
          state: .keyframe(state)),
        to: Samples.session)
    }
    return catalog
  }
}
