/// What the actions of one name did, the values in their names aside.
package struct ActionTally: Equatable, Sendable {
  package let name: String
  package internal(set) var count = 0
  /// How many are known to have left the state as it was.
  package internal(set) var unchangedCount = 0
  /// Of how many that is not known.
  package internal(set) var unknownCount = 0
  /// Octets by which the states grew, less those by which they shrank.
  package internal(set) var growth = 0
  /// Octets of the payloads that are here.
  package internal(set) var payloadSize = 0
  /// Lines of the log of level error that they caused; or that came after them, if the line names
  /// no cause.
  package internal(set) var errorCount = 0
  /// Nanoseconds since the row before, of each whose row before is here.
  var intervals: [UInt64] = []

  init(_ name: String) { self.name = name }

  // What a stranger states may be any number.
  mutating func add(_ more: Int) { count = Self.sum(count, more) }

  mutating func addUnknown(_ more: Int) { unknownCount = Self.sum(unknownCount, more) }

  private static func sum(_ one: Int, _ other: Int) -> Int {
    let (sum, passes) = one.addingReportingOverflow(other)
    return passes ? .max : sum
  }

  /// Half of them came sooner after the row before; nil if no such time is known.
  package var medianInterval: UInt64? {
    intervals.isEmpty ? nil : intervals.sorted()[intervals.count / 2]
  }
}
