internal import SurfWire

/// The ids of one app that live, each with its last value, for front ends that come later.
///
/// Values may come in any order: the newest first, then the past. The value that came last counts.
package struct LiveValues<Value: Sendable>: Sendable {
  private struct Kept: Sendable {
    let value: Value
    /// Octets of its id and itself.
    let size: Int
  }

  private var table = ValueTable<Kept>()
  private var removed = RemovedNames(countMax: InspectorLimits.valueCountMax)
  /// Octets of ids and values.
  package private(set) var size = 0

  package init() {}

  package var count: Int { table.count }
  package var isEmpty: Bool { count == 0 }

  /// The value of an id, if that lives and its value is kept.
  package subscript(id: String) -> Value? { table[ValueName(id)]?.value.value }

  /// All of them, in the order in which they came.
  package var inOrder: [(id: String, value: Value)] {
    entries.sorted { $0.entry.record < $1.entry.record }.map {
      ($0.name.text, $0.entry.value.value)
    }
  }

  /// All of them, by their ids.
  package var byID: [(id: String, value: Value)] {
    entries.map { ($0.name.text, $0.entry.value.value) }
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
    guard table[name].map({ $0.record < sequence }) ?? true, !removed.cover(name, of: sequence)
    else { return false }
    forget(name)
    let size = id.utf8.count + size
    guard size <= InspectorLimits.valueSizeMax else { return true }
    table.set(name, to: Kept(value: value, size: size), by: sequence)
    self.size += size
    makeRoom()
    return true
  }

  /// Removes an id, and those below it, which begin with the id and a slash.
  ///
  /// - Returns: those that lived.
  package mutating func remove(_ id: String, sequence: UInt64) -> [String] {
    let (name, sequence) = (ValueName(id), SequenceNumber(sequence))
    removed.note(name, by: sequence)
    return table.remove(name, by: sequence).map { name, entry in
      size -= entry.value.size
      return name.text
    }
  }

  private var entries: [(name: ValueName, entry: ValueTable<Kept>.Entry)] {
    table.names.compactMap { name in table[name].map { (name, $0) } }
  }

  private mutating func forget(_ name: ValueName) {
    if let entry = table.take(name) { size -= entry.value.size }
  }

  private mutating func makeRoom() {
    while count > InspectorLimits.valueCountMax || size > InspectorLimits.valueSizeMax,
      let oldest = entries.min(by: { $0.entry.record < $1.entry.record })
    {
      forget(oldest.name)
    }
  }
}
