import Foundation
import Redaction
import SurfWire
import ValueCoding

// What the encoding thread does with a record before it is sent.
extension Benchmark {
  static let encode: [Benchmark] = [
    wire("5k", size: 5_000, batch: 2_000), wire("1m", size: 1_048_576, batch: 50),
    json("", "a value of 5 KB to JSON with sorted keys", redacting: nil),
    json(
      "-redacted", "the same with marks for each title", redacting: ["items.*.title", "**.key"]),
    json(
      "-unmarked", "the same with paths that lead nowhere", redacting: ["**.secret", "user.key"]),
  ]

  private static func json(
    _ label: String, _ summary: String, redacting paths: [String]?
  ) -> Benchmark {
    Benchmark(name: "encode-json-5k\(label)", summary: summary) {
      let coder = ValueCoder(.foundation, redacting: paths.map { RedactedPaths($0) })
      let list = TodoList()
      return try measure(batch: 100, unit: .microseconds) {
        for _ in 0..<100 { keep([UInt8](try coder.encode(list))) }
      }
    }
  }

  private static func wire(_ label: String, size: Int, batch: Int) -> Benchmark {
    Benchmark(
      name: "encode-\(label)", summary: "a record with \(size) octets of state to wire bytes"
    ) {
      let record = Samples.record(1, stateSize: size)
      return measure(batch: batch) {
        for _ in 0..<batch { keep(record.encoded()) }
      }
    }
  }
}
