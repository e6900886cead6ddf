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
    + readable("5k", "the to-do list", batch: 100) { TodoList() }
    + readable("journal", "100 entries with dates and ids for keys", batch: 20) { Samples.journal }

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
        return try ratio(batch, [pair.theirs, pair.ours]) { encode in try encode(batch) }
      },
    ]
  }

  /// How long the readable form takes, in times of the other.
  private static func readable<Value: Codable & Sendable>(
    _ label: String, _ what: String, batch: Int, _ make: @escaping @Sendable () -> Value
  ) -> [Benchmark] {
    let coders = [ValueCoder(.readable), ValueCoder(.foundation)]
    return [
      Benchmark(
        name: "encode-readable-ratio-\(label)",
        summary: "\(what) in the form readable to foundation"
      ) {
        let value = make()
        return try ratio(batch, coders) { coder in
          for _ in 0..<batch { keep(try coder.bytes(of: value)) }
        }
      },
      Benchmark(
        name: "decode-readable-ratio-\(label)",
        summary: "the same from the form readable to foundation"
      ) {
        let value = make()
        let texts = try coders.map { ($0, try $0.encode(value)) }
        return try ratio(batch, texts) { coder, text in
          for _ in 0..<batch { keep(try coder.decode(Value.self, from: text)) }
        }
      },
    ]
  }

  /// The time for the first in times of that for the second, pair by pair: a machine that is busy
  /// elsewhere slows both alike.
  private static func ratio<Side>(
    _ batch: Int, _ sides: [Side], _ body: (Side) throws -> Void
  ) rethrows -> Measurement {
    let ratios = try (0..<31).map { _ in
      let times = try sides.map { side in
        try measure(batch: batch, warmUps: 1, repetitions: 1) { try body(side) }.median
      }
      return times[0] / times[1]
    }
    return Measurement(ratios, unit: "x", of: "pairs of batches of \(batch)")
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

/// A state with what the two forms write differently.
struct Journal: Codable, Sendable {
  struct Entry: Codable, Sendable {
    var at: Date
    var title: String
    var votes: [UUID: Int]
  }

  var entries: [Entry]
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

  static let journal = Journal(
    entries: (0..<100).map { number in
      let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, UInt8(number)))
      let date = Date(timeIntervalSinceReferenceDate: 7e8 + Double(number) * 1_234.567)
      return Journal.Entry(at: date, title: "entry \(number)", votes: [id: number])
    })

  static let places = (0..<1_000).map {
    Place(name: "p\($0)", latitude: Double($0) / 16, longitude: 11.25, isOpen: $0 % 2 == 0)
  }
}
