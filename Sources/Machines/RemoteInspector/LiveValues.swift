internal import SurfWire

/// The ids of one app that live, each with its last value, for front ends that come later.
///
/// Values may come in any order: the newest first, then the past. The value that came last counts.
package struct LiveValues<Value: Sendable>: Sendable {
  private var values = BoundedValues<Value>(
    countMax: InspectorLimits.valueCountMax, sizeMax: InspectorLimits.valueSizeMax)
  private var removed = RemovedNames(countMax: InspectorLimits.valueCountMax)

  package init() {}

  /// Octets of ids and values.
  package var size: Int { values.size }
  package var count: Int { values.count }
  package var isEmpty: Bool { count == 0 }

  /// The value of an id, if that lives and its value is kept.
  package subscript(id: String) -> Value? { values[ValueName(id)]?.value }

  /// All of them, in the order in which they came.
  package var inOrder: [(id: String, value: Value)] {
    values.byName.sorted { $0.record < $1.record }.map { ($0.name.text, $0.value) }
  }

  /// All of them, by their ids.
  package var byID: [(id: String, value: Value)] {
    values.byName.map { ($0.name.text, $0.value) }
  }

  /// Takes a value, unless as new a one, or a newer removal, is known. Forgets the oldest if there
  /// are too many.
  ///
  /// - Parameters:
  ///   - size: the value's octets.
  ///   - sequence: greater for what came later.
  /// - Returns: whether it is the newest of its id.
  @discardableResult
  package mutating func set(_ id: String, to value: Value, size: Int, sequence: UInt64) -> Bool {
    let (name, sequence) = (ValueName(id), SequenceNumber(sequence))
    guard values[name].map({ $0.record < sequence }) ?? true, !removed.covers(name, of: sequence)
    else { return false }
    _ = values.set(name, to: value, size: id.utf8.count + size, by: sequence)
    return true
  }

  /// Forgets the oldest until their octets are no more than `sizeMax`.
  package mutating func shrink(to sizeMax: Int) { values.shrink(to: sizeMax) }

  /// Removes an id, and those below it, which begin with the id and a slash.
  ///
  /// - Returns: those that lived.
  package mutating func remove(_ id: String, sequence: UInt64) -> [String] {
    let (name, sequence) = (ValueName(id), SequenceNumber(sequence))
    removed.note(name, by: sequence)
    return values.remove(name, by: sequence).map(\.text)
  }
}
