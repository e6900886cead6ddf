import SurfTimeline
import SurfTransport
import SurfWire

// A viewer's rows: 10,000 of 5 KB.
extension Benchmark {
  private static let rowCount = 10_000

  static let timeline: [Benchmark] = [
    Benchmark(name: "timeline-append", summary: "a record with 5 KB of state as a new row") {
      let records = (1...UInt64(rowCount)).map { Samples.record($0, stateSize: 5_000) }
      return measure(batch: rowCount) { _ in
        Timeline()
      } _: { timeline in
        for record in records { timeline.append(record) }
      }
    },
    Benchmark(name: "search-row", summary: "the row with a number, as `statesurf show N` does") {
      let timeline = filled()
      var random = SplitMix64(seed: 1)
      let numbers = (0..<1_000).map { _ in UInt64.random(in: 1...UInt64(rowCount), using: &random) }
      return measure(batch: numbers.count) {
        for number in numbers { keep(timeline.row(SequenceNumber(number))) }
      }
    },
    Benchmark(
      name: "search-before-tip", summary: "100 rows back from the tip, as `statesurf show ~100`"
    ) {
      let timeline = filled()
      return measure(batch: 50, unit: .microseconds) {
        for _ in 0..<50 { keep(timeline.target(count: 100)) }
      }
    },
  ]

  private static func filled() -> Timeline {
    var timeline = Timeline()
    for number in 1...UInt64(rowCount) {
      timeline.append(Samples.record(number, stateSize: 64))
    }
    return timeline
  }
}

extension Timeline {
  /// The row so many targets before the newest, step by step.
  fileprivate func target(count: Int) -> SequenceNumber {
    var number = newestNumber
    for _ in 0..<count {
      guard case .row(let next) = target(before: number) else { break }
      number = next
    }
    return number
  }
}
