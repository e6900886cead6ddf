import Foundation

/// `run` and `list`.
struct Runner {
  private let isJSON: Bool
  private let names: [String]

  init(_ words: some Collection<String>) {
    isJSON = words.contains("--json")
    names = words.filter { $0 != "--json" }
  }

  static func list() -> Int32 {
    for benchmark in Benchmark.all {
      say("\(benchmark.name.padded(to: nameWidth))  \(benchmark.summary)")
    }
    return 0
  }

  func run() -> Int32 {
    let unknown = names.filter { name in !Benchmark.all.contains { $0.name.hasPrefix(name) } }
    guard unknown.isEmpty else {
      complain("no benchmark begins with \(unknown.joined(separator: ", ")); see list")
      return 64
    }
    let chosen = chosen
    let succeeded = chosen.map { chosen.count == 1 ? run($0) : runApart($0) }
    return succeeded.allSatisfy(\.self) ? 0 : 1
  }

  /// All that begin with one of the names; of a whole name only that one.
  private var chosen: [Benchmark] {
    Benchmark.all.filter { benchmark in
      names.isEmpty
        || names.contains { name in
          let isWhole = Benchmark.all.contains { $0.name == name }
          return isWhole ? benchmark.name == name : benchmark.name.hasPrefix(name)
        }
    }
  }

  /// In a process of its own: memory that another benchmark freed would be used again, and its
  /// threads may not have ended.
  private func runApart(_ benchmark: Benchmark) -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["run"] + (isJSON ? ["--json"] : []) + [benchmark.name]
    do { try process.run() } catch {
      complain("\(benchmark.name): \(error)")
      return false
    }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  private func run(_ benchmark: Benchmark) -> Bool {
    sharpenTimers()
    do {
      let measurement = try benchmark.run()
      say(isJSON ? json(benchmark, measurement) : line(benchmark, measurement))
      guard let budget = benchmark.budget, !budget.holds(for: measurement) else { return true }
      complain(
        "\(benchmark.name): more than \(Self.number(budget.most)) \(measurement.unit), its budget")
      return false
    } catch {
      complain("\(benchmark.name): \(error)")
      return false
    }
  }

  private static let nameWidth = 26

  private func line(_ benchmark: Benchmark, _ measurement: Measurement) -> String {
    let name = benchmark.name.padded(to: Self.nameWidth)
    let median = Self.number(measurement.median).padded(to: 10, left: true)
    let head = "\(name) \(median) \(measurement.unit)"
    let summary = "(\(measurement.figures.count) \(measurement.kind); \(benchmark.summary))"
    guard measurement.figures.count > 1 else { return "\(head)   \(summary)" }
    let late = Self.number(measurement.late).padded(to: 10, left: true)
    return "\(head)  \(measurement.lateName) \(late) \(measurement.unit)   \(summary)"
  }

  private func json(_ benchmark: Benchmark, _ measurement: Measurement) -> String {
    let tail =
      measurement.figures.count > 1
      ? ",\"\(measurement.lateName)\":\(measurement.late.text(3))" : ""
    return """
      {"name":"\(benchmark.name)","unit":"\(measurement.unit)",\
      "median":\(measurement.median.text(3))\(tail),"count":\(measurement.figures.count),\
      "of":"\(measurement.kind)"}
      """
  }

  private static func number(_ value: Double) -> String {
    value.text(value < 10 ? 2 : value < 1_000 ? 1 : 0)
  }
}

extension String {
  fileprivate func padded(to width: Int, left: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - count))
    return left ? space + self : self + space
  }
}
