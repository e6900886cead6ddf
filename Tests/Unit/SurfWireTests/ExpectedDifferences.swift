import SurfDelta
import TestSupport

/// A difference, and what it is between.
struct DifferenceSample {
  let difference: Difference
  let base: [UInt8]
  let target: [UInt8]

  init(_ base: String, _ target: String, record: UInt64, operations: [UInt8]) {
    self.base = Array(base.utf8)
    self.target = Array(target.utf8)
    difference = try! Difference(
      base: record, baseSize: self.base.count, targetSize: self.target.count,
      operations: operations)
  }
}

let expectedDifferences: [String: DifferenceSample] = [
  "difference-replacement": DifferenceSample(
    #"{"n":4}"#, #"{"n":5}"#, record: 7, operations: [20, 5, 0x35, 4]),
  "difference-move": DifferenceSample(
    "abcdef", "efXYabcd", record: 7, operations: [18, 8, 9, 0x58, 0x59, 27, 16]),
  "difference-long": DifferenceSample(
    String(repeating: "a", count: 300), String(repeating: "a", count: 300) + "b", record: 7,
    operations: [0xB0, 0x09, 5, 0x62]),
  "difference-from-nothing": DifferenceSample(
    "", "{}", record: 7, operations: [9, 0x7B, 0x7D]),
  "difference-longer": DifferenceSample(
    "a1b", "a10b", record: 7, operations: [8, 5, 0x30, 7, 4]),
  "difference-shorter": DifferenceSample(
    "a10b", "a2b", record: 7, operations: [4, 5, 0x32, 6, 4]),
  "difference-to-nothing": DifferenceSample("{}", "", record: 7, operations: []),
]
