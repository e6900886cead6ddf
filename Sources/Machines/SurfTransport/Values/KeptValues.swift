import SurfWire

/// The records of the values that are live in an app, in their order, within bounds
/// (Protocol.md §10.10).
struct KeptValues: Sendable {
  private struct Place: Sendable {
    let record: SequenceNumber
    let name: ValueName
  }

  private var table = ValueTable<[UInt8]>()
  /// In rising order; some are of values that have changed since.
  private var places: [Place] = []
  /// How many places, from the first on, are known to be such.
  private var staleCount = 0
  /// Octets of the records in the table.
  private(set) var size = 0
  /// The newest record that the app has made.
  private(set) var newestRecord: SequenceNumber = 0
  private(set) var leftOutCount: WireCount = 0
  /// Whether there has ever been a value.
  private(set) var isUsed = false

  private let countMax: Int
  private var sizeMax: Int

  init(countMax: Int = Limits.valueCountMax, sizeMax: Int = Limits.valueTableSizeMax) {
    (self.countMax, self.sizeMax) = (countMax, sizeMax)
  }

  /// Takes in a record, of whatever kind, that is newer than all before.
  mutating func note(_ record: OutgoingRecord) {
    newestRecord = record.sequence
    switch record.valueChange {
    case .update(let name, let bytes): set(name, to: bytes, by: record.sequence)
    case .remove(let name):
      for (_, entry) in table.remove(name, by: record.sequence) { size -= entry.value.count }
    case nil: break
    }
  }

  /// Keeps no more octets than that from now on.
  mutating func bound(size: Int) {
    sizeMax = size
    while self.size > sizeMax { dropOldest() }
    tidy()
  }

  /// The first live record behind another one.
  func first(after record: SequenceNumber) -> (record: SequenceNumber, bytes: [UInt8])? {
    for place in places[firstIndex(after: record)...] {
      if isLive(place), let entry = table[place.name] { return (entry.record, entry.value) }
    }
    return nil
  }

  private mutating func set(
    _ name: ValueName, to bytes: [UInt8], by record: SequenceNumber
  ) {
    isUsed = true
    guard bytes.count <= sizeMax else {
      if let old = table.take(name) { size -= old.value.count }
      return leftOutCount.add(1)
    }
    if let old = table.set(name, to: bytes, by: record) { size -= old.value.count }
    size += bytes.count
    places.append(Place(record: record, name: name))
    // The new one is the last to go, and has room alone.
    while size > sizeMax || table.count > countMax { dropOldest() }
    tidy()
  }

  private mutating func dropOldest() {
    while let oldest = places.dropFirst(staleCount).first {
      staleCount += 1
      guard isLive(oldest), let entry = table.take(oldest.name) else { continue }
      size -= entry.value.count
      return leftOutCount.add(1)
    }
  }

  /// Forgets places whose values have changed, once they are the most.
  private mutating func tidy() {
    guard places.count > 2 * table.count + 64 else { return }
    let table = table
    places.removeAll { table[$0.name]?.record != $0.record }
    staleCount = 0
  }

  private func isLive(_ place: Place) -> Bool { table[place.name]?.record == place.record }

  private func firstIndex(after record: SequenceNumber) -> Int {
    var (low, high) = (staleCount, places.count)
    while low < high {
      let middle = (low + high) / 2
      if places[middle].record <= record { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
