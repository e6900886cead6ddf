import SurfWire
import TestSupport

/// A delta, and what it is between.
struct DeltaSample {
  let delta: Delta
  let base: [UInt8]
  let target: [UInt8]

  init(_ base: String, _ target: String, record: SequenceNumber, operations: [UInt8]) {
    self.base = Array(base.utf8)
    self.target = Array(target.utf8)
    delta = try! Delta(
      base: record, baseSize: self.base.count, targetSize: self.target.count,
      operations: operations)
  }
}

let expectedDeltas: [String: DeltaSample] = [
  "delta-replacement": DeltaSample(
    #"{"n":4}"#, #"{"n":5}"#, record: 7, operations: [20, 5, 0x35, 4]),
  "delta-move": DeltaSample(
    "abcdef", "efXYabcd", record: 7, operations: [18, 8, 9, 0x58, 0x59, 27, 16]),
  "delta-long": DeltaSample(
    String(repeating: "a", count: 300), String(repeating: "a", count: 300) + "b", record: 7,
    operations: [0xB0, 0x09, 5, 0x62]),
  "delta-from-nothing": DeltaSample(
    "", "{}", record: 7, operations: [9, 0x7B, 0x7D]),
  "delta-longer": DeltaSample(
    "a1b", "a10b", record: 7, operations: [8, 5, 0x30, 7, 4]),
  "delta-shorter": DeltaSample(
    "a10b", "a2b", record: 7, operations: [4, 5, 0x32, 6, 4]),
  "delta-to-nothing": DeltaSample("{}", "", record: 7, operations: []),
]
