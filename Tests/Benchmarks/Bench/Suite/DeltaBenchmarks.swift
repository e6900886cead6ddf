import SurfTransport
import SurfWire
import TestSupport

// The cost of a delta at both ends. Each run alternates between two states, so that no figure
// compares octets with themselves.
extension Benchmark {
  static let delta: [Benchmark] =
    [("5k", 5_000), ("1m", 1_048_576)].flatMap { label, size in
      [find(label, size: size, editCount: 1), apply(label, size: size)]
    } + [find("1m-scattered", size: 1_048_576, editCount: 100)]

  private static func find(_ label: String, size: Int, editCount: Int) -> Benchmark {
    let places = editCount == 1 ? "one place" : "\(editCount) places"
    return Benchmark(
      name: "delta-find-\(label)",
      summary: "what makes a state of \(size) octets of one that differs in \(places)"
    ) {
      let (old, new) = states(size: size, editCount: editCount)
      return measure(batch: 2, repetitions: 50, unit: .microseconds) {
        for (base, target) in [(old, new), (new, old)] {
          keep(Delta.between(base, target, baseRecord: 1, sizeMax: size / 2))
        }
      }
    }
  }

  private static func apply(_ label: String, size: Int) -> Benchmark {
    Benchmark(
      name: "delta-apply-\(label)", summary: "a change of one place in a state of \(size) octets"
    ) {
      let (old, new) = states(size: size, editCount: 1)
      let pair = [(old, new), (new, old)].compactMap {
        Delta.between($0, $1, baseRecord: 1, sizeMax: size / 2)
      }
      var state = old
      return try measure(batch: 200, unit: .microseconds) {
        for index in 0..<200 { try pair[index % 2].apply(inPlace: &state) }
      }
    }
  }

  /// Two states. The second has ten octets inserted at each of `editCount` places, which are the
  /// same in every run.
  private static func states(size: Int, editCount: Int) -> (old: [UInt8], new: [UInt8]) {
    var random = SeededGenerator(seed: 42)
    let old = Message.template(size: size)
    var new = old
    for _ in 0..<editCount {
      let place = Int.random(in: 0..<new.count, using: &random)
      new.insert(
        contentsOf: (0..<10).map { _ in UInt8.random(in: 97...122, using: &random) }, at: place)
    }
    return (old, new)
  }
}
