import SurfWire

/// The latest value of each id of one app, without the ids that it removed. The gateway sends these
/// values to front ends that connect later, and builds the states of guests from them.
///
/// Values may be set in any order, such as the newest first and then the past. The value with the
/// highest sequence number wins.
package struct LiveValues<Value: Sendable>: Sendable {
  private var values = BoundedValues<Value>(
    countMax: InspectorLimits.valueCountMax, sizeMax: InspectorLimits.valueSizeMax)
  private var removed = RemovedNames(countMax: InspectorLimits.valueCountMax)

  package init() {}

  /// In octets, ids and values together.
  package var size: Int { values.size }
  package var count: Int { values.count }
  package var isEmpty: Bool { count == 0 }

  /// Sorted by sequence number.
  package var inOrder: [(id: String, value: Value)] {
    values.byName.sorted { $0.record < $1.record }.map { ($0.name.text, $0.value) }
  }

  /// Calls `body` with each value, in the order of the ids.
  package func visit(_ body: (Value) -> Void) { values.visit(body) }

  /// Stores a value, unless the id has a value that is as new, or a newer removal covers it. Evicts
  /// the oldest values beyond the limits.
  ///
  /// - Parameters:
  ///   - size: in octets, without the id.
  ///   - sequence: greater for later values.
  /// - Returns: whether the value is the newest of its id.
  @discardableResult
  package mutating func set(_ id: String, to value: Value, size: Int, sequence: UInt64) -> Bool {
    let (name, sequence) = (ValueName(id), SequenceNumber(sequence))
    guard values[name].map({ $0.record < sequence }) ?? true, !removed.covers(name, of: sequence)
    else { return false }
    _ = values.set(name, to: value, size: id.utf8.count + size, by: sequence)
    return true
  }

  /// Evicts the oldest values until `size` is at most `sizeMax`.
  package mutating func shrink(to sizeMax: Int) { values.shrink(to: sizeMax) }

  /// Removes an id and the ids below it, which begin with the id and a slash. Values newer than
  /// `sequence` stay.
  ///
  /// - Returns: the ids that had a value.
  package mutating func remove(_ id: String, sequence: UInt64) -> [String] {
    let (name, sequence) = (ValueName(id), SequenceNumber(sequence))
    removed.note(name, by: sequence)
    return values.remove(name, by: sequence).map(\.text)
  }
}
