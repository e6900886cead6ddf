import Foundation

/// `statesurf-bench eye`: how long it is from a call of `record` until the octets that show the row
/// have come from the viewer, which is a process of its own.
struct EyeBench {
  private let options: EyeOptions
  private var results: [Case: [EyeScene.Result]] = [:]

  /// A combination that each round runs once.
  private struct Case: Hashable {
    let load: Int
    let rate: Double
    let viewer: EyeViewer
    let program: String?
  }

  /// Even of one record a second.
  private static let countMin = 8.0

  init(_ options: EyeOptions) { self.options = options }

  mutating func run() -> Int32 {
    sharpenTimers()
    let cases = options.loads.flatMap { load in
      options.rates.flatMap { rate in
        options.viewers.flatMap { viewer in
          options.programs.map { Case(load: load, rate: rate, viewer: viewer, program: $0) }
        }
      }
    }
    do {
      for _ in 0..<options.roundCount {
        for one in cases { results[one, default: []].append(try Self.result(of: one, options)) }
      }
    } catch {
      complain("eye: \(error)")
      return 1
    }
    say("medians of \(options.roundCount) rounds; microseconds")
    say(Self.line(["loops", "a second", "viewer", "half", "99 of 100", "app", "viewer's", "rows"]))
    let failures = cases.filter { !tell($0) }
    return failures.isEmpty ? 0 : 1
  }

  private static func result(of one: Case, _ options: EyeOptions) throws -> EyeScene.Result {
    let scene = try EyeScene(one.viewer, program: one.program)
    let loops = try BusyLoops(one.load)
    defer { keep(loops) }
    return try scene.run(
      count: Int(max(one.rate * options.seconds, countMin)), rate: one.rate)
  }

  /// False if rows are missing that the viewer should have written.
  private func tell(_ one: Case) -> Bool {
    let results = results[one, default: []]
    let sorted = results.map { Measurement($0.latencies, unit: "us", of: "rows") }
    let recorded = results.reduce(0) { $0 + $1.recordedCount }
    let written = results.reduce(0) { $0 + $1.writtenCount }
    func median(_ figures: [Double]) -> String {
      Measurement(figures, unit: "us", of: "rounds").median.text(0)
    }
    let cells = [
      "\(one.load)", one.rate.text(0), one.viewer.rawValue, median(sorted.map(\.median)),
      median(sorted.map { $0.quantile(0.99) }), median(results.map(\.appTime)),
      median(results.map(\.viewerTime)), "\(written) of \(recorded)",
    ]
    say(Self.line(cells) + "  " + (one.program ?? ""))
    let isWhole = !one.viewer.showsAll || written == recorded
    if !isWhole { complain("eye: \(one.viewer) did not write every row") }
    return isWhole
  }

  private static func line(_ cells: [String]) -> String {
    cells.map { String(repeating: " ", count: max(1, 11 - $0.count)) + $0 }.joined()
  }
}
