import Foundation
import SurfWire
import ValueCoding

// What the encoding thread does with a record before it is sent.
extension Benchmark {
  static let encode: [Benchmark] = [
    wire("5k", size: 5_000, batch: 2_000), wire("1m", size: 1_048_576, batch: 50),
    Benchmark(name: "encode-json-5k", summary: "a value of 5 KB to JSON with sorted keys") {
      let coder = ValueCoder(.foundation)
      let list = TodoList()
      return try measure(batch: 100, unit: .microseconds) {
        for _ in 0..<100 { keep([UInt8](try coder.encode(list))) }
      }
    },
  ]

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
