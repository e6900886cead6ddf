/// One thing that is measured.
struct Benchmark: Sendable {
  let name: String
  /// In a few words, with the size of the input.
  let summary: String
  /// Nil where nothing is promised.
  let budget: Budget?
  let run: @Sendable () throws -> Measurement

  init(
    name: String, summary: String, budget: Budget? = nil,
    run: @escaping @Sendable () throws -> Measurement
  ) {
    self.name = name
    self.summary = summary
    self.budget = budget
    self.run = run
  }
}

extension Benchmark {
  static let all: [Benchmark] =
    record + encode + delta + send + receive + timeline + jump + reset + store + screen + memory
    + idle + unwatched + debugger + liveDebugger
}

/// Why a benchmark has no figure.
struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
