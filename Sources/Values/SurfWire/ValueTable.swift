import SurfBasics

/// The live values of an app by name, with what each end keeps for them (Protocol.md §10.10).
///
/// Names are compared as octets: texts that are canonically equivalent in Unicode are two names.
package struct ValueTable<Value: Sendable>: Sendable {
  package struct Entry: Sendable {
    package let record: SequenceNumber
    package let value: Value
  }

  private var entries: [ValueName: Entry] = [:]
  /// Ascending, so that all names below a name are adjacent.
  private var sorted: [ValueName] = []

  package init() {}

  package var count: Int { sorted.count }
  package var names: [ValueName] { sorted }

  package subscript(_ name: ValueName) -> Entry? { entries[name] }

  /// Calls `body` with each value, in the order of the names.
  package func visit(_ body: (Value) -> Void) {
    for name in sorted { if let entry = entries[name] { body(entry.value) } }
  }

  /// Sets a value, unless a newer record already has; returns the one that it replaces.
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

  @discardableResult
  package mutating func take(_ name: ValueName) -> Entry? {
    guard let entry = entries.removeValue(forKey: name) else { return nil }
    sorted.remove(at: place(of: name))
    return entry
  }

  /// Removes and returns the value of a name and of all names below it, except those of newer
  /// records.
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

  /// The index of the first name that is not before `name`.
  private func place(of name: ValueName) -> Int {
    sorted.partitionPoint { $0 >= name }
  }
}

/// Remembers removed names, so that an older update that arrives late does not bring a value back.
package struct RemovedNames: Sendable {
  private var records: [ValueName: SequenceNumber] = [:]
  private let countMax: Int

  /// Beyond `countMax` names, it forgets the older half.
  package init(countMax: Int) { self.countMax = countMax }

  package mutating func note(_ name: ValueName, by record: SequenceNumber) {
    records[name] = max(records[name] ?? 0, record)
    guard records.count > countMax else { return }
    let newer = records.inOrder { $0.value < $1.value }.suffix(countMax / 2)
    records = Dictionary(newer.map { ($0.key, $0.value) }, uniquingKeysWith: max)
  }

  /// Whether a newer record has removed this name or one above it.
  package func covers(_ name: ValueName, of record: SequenceNumber) -> Bool {
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

  /// Whether this name is `other` or is below it.
  package func isOrIsBelow(_ other: ValueName) -> Bool {
    guard bytes.starts(with: other.bytes) else { return false }
    return bytes.count == other.bytes.count || bytes[other.bytes.count] == Self.separator
  }

  /// All names above this one, and the name itself.
  fileprivate var withNamesAbove: some Sequence<ValueName> {
    bytes.indices.lazy.filter { bytes[$0] == Self.separator }
      .map { ValueName(bytes: Array(bytes[..<$0])) } + [self]
  }

  /// Before all names below this one, and after the name itself.
  fileprivate var lowestBelow: ValueName { ValueName(bytes: bytes + [Self.separator]) }
  /// After all names below this one.
  fileprivate var endBelow: ValueName { ValueName(bytes: bytes + [Self.separator + 1]) }

  package static func < (left: ValueName, right: ValueName) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
