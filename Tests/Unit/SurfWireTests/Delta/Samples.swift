import SurfWire
import TestSupport

extension SeededGenerator {
  /// Octets that compress with nothing.
  mutating func octets(_ count: Int) -> [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(count + 8)
    while octets.count < count {
      withUnsafeBytes(of: next()) { octets.append(contentsOf: $0) }
    }
    return Array(octets.prefix(count))
  }
}

/// A to-do list as JSON: much repetition, little of it at even distances.
func list(_ numbers: some Sequence<Int>, done: Set<Int> = []) -> [UInt8] {
  let words = ["milk", "invoice", "bicycle", "plumber", "report", "plants", "kitchen"]
  let items = numbers.map { number in
    let first = words[number * 5 % 7]
    let second = words[number * 31 / 4 % 7]
    return #"{"completed":\#(done.contains(number)),"id":"0000-0000-0000-\#(number * 7919)","#
      + #""title":"\#(first) and \#(second), for the \#(number)th time"}"#
  }
  return Array(#"{"filter":"all","items":[\#(items.joined(separator: ","))]}"#.utf8)
}

/// Points as JSON. Every number changes a little, and some become longer.
func points(after seconds: Int) -> [UInt8] {
  let items = (0..<60).map { number in
    #"{"id":"p\#(number)","x":\#(90 + number % 9 + seconds),"y":\#(40 + seconds)}"#
  }
  return Array(#"{"points":[\#(items.joined(separator: ","))]}"#.utf8)
}

/// The delta between two runs of octets, and what it costs to find.
func compared(
  _ base: [UInt8], _ target: [UInt8], sizeMax: Int = .max
) -> (delta: Delta?, stepCount: Int) {
  var stepCount = 0
  let delta = Delta.between(
    base, target, baseRecord: 1, sizeMax: sizeMax, countingSteps: &stepCount)
  return (delta, stepCount)
}

/// Whether a delta survives its encoding, and makes the target of the base in both ways.
func isExact(_ delta: Delta, _ base: [UInt8], _ target: [UInt8]) throws -> Bool {
  let decoded = try Delta(decoding: delta.encoded(), sizeMax: 1 << 26)
  var state = base
  try decoded.apply(inPlace: &state)
  let made = try decoded.apply(to: base)
  return decoded == delta && state == target && made == target
}
