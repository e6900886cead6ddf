import Foundation
import StateSurf

// The cost for an app that records a state of 5 KB a thousand times a second, with no viewer.
extension Benchmark {
  static let unwatched: [Benchmark] = [
    paced("codable", "a `Codable` state") { Plain(list: $0) },
    paced("foundation", "the same, which `JSONEncoder` writes before") { Foreign(list: $0) },
    paced("newest", "the same as the first, with .newestState", .newestState) { Plain(list: $0) },
    paced("nth", "the same with .everyNth(100)", .everyNth(100)) { Plain(list: $0) },
    paced("coalesced", "the same as the first, ten rows a second", coalesced: ["m"]) {
      Plain(list: $0)
    },
    paced("sampled", "the same as the first, ten states a second", sampled: ["items.*.isDone"]) {
      Plain(list: $0)
    },
  ]

  private static let rate = 1_000.0
  private static let duration = 4.0

  /// The form of a list that is recorded.
  private protocol Form {
    func record(with transceiver: Transceiver) throws
  }

  private struct Plain: Form {
    let list: TodoList
    func record(with transceiver: Transceiver) { transceiver.record(action: "m", state: list) }
  }

  /// As our own thread did it before we had an encoder. Here the app's thread does it, which costs
  /// the process as much.
  private struct Foreign: Form {
    let list: TodoList
    func record(with transceiver: Transceiver) throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      let state = [UInt8](try encoder.encode(list))
      transceiver.record(action: "m", state: state, contentType: "application/json")
    }
  }

  private static func paced(
    _ label: String, _ what: String,
    _ choice: Transceiver.Configuration.Thinning.WhenUnwatched = .everything,
    coalesced: [String] = [], sampled: [String] = [],
    _ form: @escaping @Sendable (TodoList) -> any Form
  ) -> Benchmark {
    Benchmark(
      name: "unwatched-\(label)",
      summary: "share of a core, 5 KB \(Int(rate)) times a second, no viewer: \(what)"
    ) {
      let app = LoopbackApp(whenUnwatched: choice, coalesced: coalesced, sampled: sampled)
      app.transceiver.resume()
      var list = TodoList()
      try record(&list, for: 0.5, form, with: app.transceiver)
      try app.settle()
      let before = ProcessorTime.now
      try record(&list, for: duration, form, with: app.transceiver)
      try app.settle()
      let usage = ProcessorTime.now - before
      let share = 100 * (usage.user + usage.system) / duration
      return .single(share, unit: "%", of: "run of \(Int(duration)) s")
    }
  }

  private static func record(
    _ list: inout TodoList, for seconds: Double, _ form: (TodoList) -> any Form,
    with transceiver: Transceiver
  ) throws {
    var due = nanoseconds()
    for index in 0..<Int(seconds * rate) {
      list.toggle(index)
      due += UInt64(1e9 / rate)
      sleep(until: due)
      try form(list).record(with: transceiver)
    }
  }
}
