import Foundation
import Redaction
import SurfWire
import ValueCoding

// What the encoding thread does with a record before it is sent.
extension Benchmark {
  static let encode: [Benchmark] =
    [
      wire("5k", size: 5_000, batch: 2_000), wire("1m", size: 1_048_576, batch: 50),
    ] + values("5k", "a to-do list of 5 KB", batch: 100) { TodoList() }
    + [
      redacted("redacted", "with marks for each title", ["items.*.title", "**.key"]),
      redacted("unmarked", "with paths that lead nowhere", ["**.secret", "user.key"]),
    ]
    + values("integers", "100 integers", batch: 1_000) { (0..<100).map { $0 * 7_919 } }
    + values("strings", "100 strings of 97 octets", batch: 500) { Samples.strings }
    + values("structs", "1,000 structs", batch: 20) { Samples.places }

  private static func redacted(_ label: String, _ what: String, _ paths: [String]) -> Benchmark {
    Benchmark(name: "encode-json-5k-\(label)", summary: "the to-do list \(what)") {
      let coder = ValueCoder(.foundation, redacting: RedactedPaths(paths))
      let list = TodoList()
      return try measure(batch: 100, unit: .microseconds) {
        for _ in 0..<100 { keep(try coder.bytes(of: list)) }
      }
    }
  }

  /// A value as JSON with sorted keys: by ours, by `JSONEncoder`, and how many times as fast ours is.
  private static func values<Value: Encodable & Sendable>(
    _ label: String, _ what: String, batch: Int, _ make: @escaping @Sendable () -> Value
  ) -> [Benchmark] {
    [
      Benchmark(name: "encode-json-\(label)", summary: "\(what) to JSON with sorted keys") {
        let pair = EncoderPair(make())
        return try measure(batch: batch, unit: .microseconds) { try pair.ours(batch) }
      },
      Benchmark(name: "encode-foundation-\(label)", summary: "the same by JSONEncoder") {
        let pair = EncoderPair(make())
        return try measure(batch: batch, unit: .microseconds) { try pair.theirs(batch) }
      },
      Benchmark(
        name: "encode-ratio-\(label)",
        summary: "encode-foundation-\(label) in times of encode-json-\(label), batch by batch"
      ) {
        let pair = EncoderPair(make())
        // A machine that is busy elsewhere slows both alike.
        let ratios = try (0..<31).map { _ in
          let ours = try measure(batch: batch, warmUps: 1, repetitions: 1) { try pair.ours(batch) }
          let theirs = try measure(batch: batch, warmUps: 1, repetitions: 1) {
            try pair.theirs(batch)
          }
          return theirs.median / ours.median
        }
        return Measurement(ratios, unit: "x", of: "pairs of batches of \(batch)")
      },
    ]
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

/// The two encoders of one value.
private struct EncoderPair<Value: Encodable> {
  private let value: Value
  private let coder = ValueCoder(.foundation)
  private let foundation = JSONEncoder()

  init(_ value: Value) {
    self.value = value
    foundation.outputFormatting = .sortedKeys
  }

  func ours(_ count: Int) throws {
    for _ in 0..<count { keep(try coder.bytes(of: value)) }
  }

  func theirs(_ count: Int) throws {
    for _ in 0..<count { keep([UInt8](try foundation.encode(value))) }
  }
}

/// One of many in a list.
struct Place: Codable, Sendable {
  var name: String
  var latitude: Double
  var longitude: Double
  var isOpen: Bool
}

extension Samples {
  static let strings = (0..<100).map {
    "\($0 + 100) " + String(repeating: "lorem ipsum, ", count: 7) + "ab"
  }

  static let places = (0..<1_000).map {
    Place(name: "p\($0)", latitude: Double($0) / 16, longitude: 11.25, isOpen: $0 % 2 == 0)
  }
}
