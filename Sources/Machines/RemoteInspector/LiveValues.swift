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

  private struct Place: Sendable {
    let record: SequenceNumber
    let name: ValueName
  }

  private var table = ValueTable<Kept>()
  /// In rising order, so that the oldest is found without a look at all; some are of values that
  /// have changed since.
  private var places: [Place] = []
  /// How many places, from the first on, are known to be such.
  private var staleCount = 0
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
    note(Place(record: sequence, name: name))
    shrink(to: InspectorLimits.valueSizeMax)
    return true
  }

  /// Forgets the oldest until their octets are no more than `sizeMax`.
  package mutating func shrink(to sizeMax: Int) {
    while count > InspectorLimits.valueCountMax || size > sizeMax,
      let oldest = places.dropFirst(staleCount).first
    {
      staleCount += 1
      if isLive(oldest) { forget(oldest.name) }
    }
    tidy()
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

  private mutating func note(_ place: Place) {
    var index = places.count
    while index > staleCount, places[index - 1].record > place.record { index -= 1 }
    places.insert(place, at: index)
  }

  /// Forgets places whose values have changed, once they are the most.
  private mutating func tidy() {
    guard places.count > 2 * count + 64 else { return }
    places = places.filter(isLive)
    staleCount = 0
  }

  private func isLive(_ place: Place) -> Bool { table[place.name]?.record == place.record }
}
