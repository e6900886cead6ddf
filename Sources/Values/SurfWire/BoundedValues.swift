import SurfBasics

/// An app's live values with their records, bounded in number and octets: setting one evicts the
/// oldest. An app keeps its own in `KeptValues`, and the relay keeps its apps' in `LiveValues`.
package struct BoundedValues<Value: Sendable>: Sendable {
  private struct Kept: Sendable {
    let value: Value
    let size: Int
  }

  private var table = ValueTable<Kept>()
  /// In ascending order of record, so that the oldest is found without a search. Some entries are
  /// stale: their values have changed since.
  private var places: [ValuePlace] = []
  /// How many of the leading `places` are known to be stale.
  private var staleCount = 0
  private let countMax: Int
  /// The most octets that all values may have together.
  package var sizeMax: Int
  /// Octets of all values.
  package private(set) var size = 0

  package init(countMax: Int, sizeMax: Int) { (self.countMax, self.sizeMax) = (countMax, sizeMax) }

  package var count: Int { table.count }

  /// Sorted by the octets of their names.
  package var byName: [(name: ValueName, record: SequenceNumber, value: Value)] {
    table.names.compactMap { name in table[name].map { (name, $0.record, $0.value.value) } }
  }

  /// Calls `body` with each value, in the order of the octets of their names.
  package func visit(_ body: (Value) -> Void) { table.visit { body($0.value) } }

  package subscript(_ name: ValueName) -> (record: SequenceNumber, value: Value)? {
    table[name].map { ($0.record, $0.value.value) }
  }

  /// The oldest value whose record is newer than `record`.
  package func first(after record: SequenceNumber) -> (record: SequenceNumber, value: Value)? {
    let index = places[staleCount...].partitionPoint { $0.record > record }
    return places[index...].first(where: isLive).flatMap { self[$0.name] }
  }

  /// Sets a value; its record must be newer than the name's current one. A value that alone exceeds
  /// `sizeMax` is not kept, and the old one is dropped.
  ///
  /// - Returns: how many values were dropped for lack of space.
  package mutating func set(
    _ name: ValueName, to value: Value, size: Int, by record: SequenceNumber
  ) -> Int {
    guard size <= sizeMax else {
      forget(name)
      return 1
    }
    let old = table.set(name, to: Kept(value: value, size: size), by: record)
    self.size += size - (old?.value.size ?? 0)
    var index = places.count
    while index > staleCount, places[index - 1].record > record { index -= 1 }
    places.insert(ValuePlace(record: record, name: name), at: index)
    return shrink(to: sizeMax)
  }

  /// Removes the value of a name and of all names below it, except those set by newer records.
  ///
  /// - Returns: the names removed.
  @discardableResult
  package mutating func remove(_ name: ValueName, by record: SequenceNumber) -> [ValueName] {
    table.remove(name, by: record).map { name, entry in
      size -= entry.value.size
      return name
    }
  }

  /// Evicts the oldest values until the bounds hold, with `sizeMax` octets in all.
  ///
  /// - Returns: how many it evicted.
  @discardableResult
  package mutating func shrink(to sizeMax: Int) -> Int {
    let before = count
    while count > countMax || size > sizeMax, let oldest = places.dropFirst(staleCount).first {
      staleCount += 1
      if isLive(oldest) { forget(oldest.name) }
    }
    tidy()
    return before - count
  }

  private mutating func forget(_ name: ValueName) {
    if let entry = table.take(name) { size -= entry.value.size }
  }

  /// Drops stale places once they outnumber the live ones.
  private mutating func tidy() {
    guard places.count > 2 * count + 64 else { return }
    places = places.filter(isLive)
    staleCount = 0
  }

  private func isLive(_ place: ValuePlace) -> Bool { table[place.name]?.record == place.record }
}

private struct ValuePlace: Sendable {
  let record: SequenceNumber
  let name: ValueName
}
