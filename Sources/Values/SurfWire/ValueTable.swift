import SurfBasics

/// The live values of an app by name, and what each end keeps of them (Protocol.md §10.10).
///
/// Names are octets: texts that Unicode holds equal are still two names.
package struct ValueTable<Value: Sendable>: Sendable {
  package struct Entry: Sendable {
    package let record: SequenceNumber
    package let value: Value
  }

  private var entries: [ValueName: Entry] = [:]
  /// In rising order, so that all below a name lie together.
  private var sorted: [ValueName] = []

  package init() {}

  package var count: Int { sorted.count }
  package var names: [ValueName] { sorted }

  package subscript(_ name: ValueName) -> Entry? { entries[name] }

  /// Sets a value, unless there is one of a newer record; gives the one that it replaces.
  @discardableResult
  package mutating func set(
    _ name: ValueName, to value: Value, by record: SequenceNumber
  ) -> Entry? {
    let old = entries[name]
    guard old.map({ $0.record < record }) ?? true else { return nil }
    entries[name] = Entry(record: record, value: value)
    if old == nil { sorted.insert(name, at: place(of: name)) }
    return old
  }

  /// Takes out one value.
  @discardableResult
  package mutating func take(_ name: ValueName) -> Entry? {
    guard let entry = entries.removeValue(forKey: name) else { return nil }
    sorted.remove(at: place(of: name))
    return entry
  }

  /// Takes out the value of a name and all below it, but those of newer records, and gives them.
  @discardableResult
  package mutating func remove(
    _ name: ValueName, by record: SequenceNumber
  ) -> [(name: ValueName, entry: Entry)] {
    let below = place(of: name.lowestBelow)..<place(of: name.endBelow)
    var taken: [(name: ValueName, entry: Entry)] = []
    let kept = sorted[below].filter { name in
      guard let entry = entries[name], entry.record < record else { return true }
      entries[name] = nil
      taken.append((name, entry))
      return false
    }
    if kept.count < below.count { sorted.replaceSubrange(below, with: kept) }
    guard let entry = entries[name], entry.record < record else { return taken }
    take(name)
    return [(name, entry)] + taken
  }

  /// The first place whose name is not before `name`.
  private func place(of name: ValueName) -> Int {
    sorted.partitionPoint { $0 >= name }
  }
}

/// Names whose values have gone, so that what is older and comes later does not bring them back.
package struct RemovedNames: Sendable {
  private var records: [ValueName: SequenceNumber] = [:]
  private let countMax: Int

  /// Beyond `countMax` names, the older half is forgotten.
  package init(countMax: Int) { self.countMax = countMax }

  package mutating func note(_ name: ValueName, by record: SequenceNumber) {
    records[name] = max(records[name] ?? 0, record)
    guard records.count > countMax else { return }
    let newer = records.sorted { $0.value < $1.value }.suffix(countMax / 2)
    records = Dictionary(newer.map { ($0.key, $0.value) }, uniquingKeysWith: max)
  }

  /// Whether a newer record has removed the name, or one that it lies below.
  package func cover(_ name: ValueName, of record: SequenceNumber) -> Bool {
    name.withNamesAbove.contains { records[$0].map { $0 > record } ?? false }
  }
}

/// A value's name, compared octet by octet.
package struct ValueName: Hashable, Comparable, Sendable {
  package let bytes: [UInt8]

  private static let separator = UInt8(ascii: "/")

  package init(_ text: String) { bytes = Array(text.utf8) }
  private init(bytes: [UInt8]) { self.bytes = bytes }

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether it is this other name, or lies below it.
  package func isOrIsBelow(_ other: ValueName) -> Bool {
    guard bytes.starts(with: other.bytes) else { return false }
    return bytes.count == other.bytes.count || bytes[other.bytes.count] == Self.separator
  }

  /// The name, and all that it lies below.
  fileprivate var withNamesAbove: some Sequence<ValueName> {
    bytes.indices.lazy.filter { bytes[$0] == Self.separator }
      .map { ValueName(bytes: Array(bytes[..<$0])) } + [self]
  }

  /// Not after any name below this one, and after the name itself.
  fileprivate var lowestBelow: ValueName { ValueName(bytes: bytes + [Self.separator]) }
  /// After all names below this one.
  fileprivate var endBelow: ValueName { ValueName(bytes: bytes + [Self.separator + 1]) }

  package static func < (left: ValueName, right: ValueName) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
