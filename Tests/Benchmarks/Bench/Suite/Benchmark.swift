/// One thing that is measured.
struct Benchmark: Sendable {
  let name: String
  /// In a few words, with the size of what is worked on.
  let summary: String
  let run: @Sendable () throws -> Measurement
}

extension Benchmark {
  static let all: [Benchmark] =
    record + encode + delta + send + receive + timeline + jump + reset + store + screen + memory
    + idle
}

/// Why a benchmark has no figure.
struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
