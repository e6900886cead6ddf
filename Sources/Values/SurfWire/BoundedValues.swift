import SurfBasics

/// The live values of an app in the order of their records, within bounds: the oldest make room.
package struct BoundedValues<Value: Sendable>: Sendable {
  private struct Kept: Sendable {
    let value: Value
    let size: Int
  }

  private var table = ValueTable<Kept>()
  /// In rising order, so that the oldest is found without a look at all; some are of values that
  /// have changed since.
  private var places: [ValuePlace] = []
  /// How many places, from the first on, are known to be such.
  private var staleCount = 0
  private let countMax: Int
  /// Octets of all values that are kept.
  package var sizeMax: Int
  /// Octets of all values.
  package private(set) var size = 0

  package init(countMax: Int, sizeMax: Int) { (self.countMax, self.sizeMax) = (countMax, sizeMax) }

  package var count: Int { table.count }

  /// In the order of their names' octets.
  package var byName: [(name: ValueName, record: SequenceNumber, value: Value)] {
    table.names.compactMap { name in table[name].map { (name, $0.record, $0.value.value) } }
  }

  package subscript(_ name: ValueName) -> (record: SequenceNumber, value: Value)? {
    table[name].map { ($0.record, $0.value.value) }
  }

  /// The first behind another record.
  package func first(after record: SequenceNumber) -> (record: SequenceNumber, value: Value)? {
    let index = places[staleCount...].partitionPoint { $0.record > record }
    return places[index...].first(where: isLive).flatMap { self[$0.name] }
  }

  /// Sets a value that is newer than the one of this name. One that alone is too large is not kept.
  ///
  /// - Returns: how many had no room.
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

  /// Takes out the value of a name and all below it, but those of newer records.
  ///
  /// - Returns: the names of those.
  @discardableResult
  package mutating func remove(_ name: ValueName, by record: SequenceNumber) -> [ValueName] {
    table.remove(name, by: record).map { name, entry in
      size -= entry.value.size
      return name
    }
  }

  /// Forgets the oldest until their octets are no more than `sizeMax`.
  ///
  /// - Returns: how many.
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

  /// Forgets places whose values have changed, once they are the most.
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
