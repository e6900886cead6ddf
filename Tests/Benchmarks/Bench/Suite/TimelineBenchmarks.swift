import SurfReceiving
import SurfTimeline
import SurfTransport
import SurfWire
import TestSupport

// A viewer's rows: 10,000 of 5 KB.
extension Benchmark {
  private static let rowCount = 10_000

  static let timeline: [Benchmark] = [
    view("5k", size: 5_000, count: 2_000), view("64k", size: 65_536, count: 500),
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
      var random = SeededGenerator(seed: 1)
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

  /// A viewer's work for a record whose state differs from the last in ten octets: ordering it and
  /// storing it.
  private static func view(_ label: String, size: Int, count: Int) -> Benchmark {
    Benchmark(
      name: "view-\(label)",
      summary: "a delta of a state of \(size) octets, from the packet to the row"
    ) {
      let datagrams = try Samples.datagrams(of: Samples.deltas(count, stateSize: size), size)
      return try measure(batch: count, unit: .microseconds) { _ in
        (Samples.follower(), Timeline())
      } _: { viewer in
        for (datagram, now) in datagrams {
          for output in try Samples.outputs(of: datagram, from: &viewer.0, at: now) {
            guard case .record(_, let arrived) = output else { continue }
            viewer.1.append(arrived.record, from: arrived.origin)
          }
        }
        guard viewer.1.rows.count == count, viewer.1.unmadeCount == 0 else {
          throw BenchmarkFailure("\(viewer.1.rows.count) of \(count) rows are there")
        }
      }
    }
  }

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
