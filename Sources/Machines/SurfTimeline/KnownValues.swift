import SurfWire

/// An app's live values as a viewer knows them (Protocol.md §10.10). The app's answer and live
/// records may overlap in any order; for each name the newest record wins.
package struct KnownValues: Sendable {
  private enum Phase: Sendable {
    case idle
    /// The viewer has asked. `table` has the values reported earlier and live ones that arrive
    /// meanwhile; `answers` collects the app's answers.
    case asked
    case complete
  }

  private var phase = Phase.idle
  private var table = ValueTable<Record>()
  private var answers = ValueTable<Record>()
  /// Removes that arrived after the request, because an answer may be older than a remove.
  private var removed = RemovedNames(countMax: removeCountMax)
  /// The app's complete answer covers records up to this one, so `take` ignores them.
  private var horizon: SequenceNumber = 0
  /// Values over the app's limit, or over this viewer's.
  package private(set) var leftOut: WireCount = 0

  /// If more removes than this arrive during an answer, a removed value may stay until the viewer
  /// asks again.
  private static let removeCountMax = 4_096

  package init() {}

  /// Whether all live values are known.
  package var isComplete: Bool { if case .complete = phase { true } else { false } }

  /// Ordered by the octets of their names.
  package var records: [Record] { table.names.compactMap { table[$0]?.value } }

  // MARK: The app's answer

  package mutating func begin() {
    phase = .asked
    (answers, removed) = (ValueTable(), RemovedNames(countMax: Self.removeCountMax))
  }

  package mutating func add(answer record: Record) {
    let name = ValueName(record.name)
    guard case .asked = phase, !removed.covers(name, of: record.sequence) else { return }
    guard answers.count < Limits.valueCountMax || answers[name] != nil else { return }
    answers.set(name, to: record, by: record.sequence)
  }

  package mutating func complete(horizon: SequenceNumber, leftOut: WireCount) {
    guard case .asked = phase else { return }
    for name in table.names {
      guard let entry = table[name], entry.record > horizon else { continue }
      answers.set(name, to: entry.value, by: entry.record)
    }
    table = answers
    (answers, removed) = (ValueTable(), RemovedNames(countMax: Self.removeCountMax))
    (self.horizon, self.leftOut) = (horizon, leftOut)
    phase = .complete
  }

  // MARK: Live records

  /// - Returns: whether it changed a value.
  @discardableResult
  package mutating func note(_ record: Record) -> Bool {
    guard case .idle = phase else { return take(record) }
    return false
  }

  /// Drops values from records from `first` on, which turned out not to be the app's.
  mutating func retract(from first: SequenceNumber) {
    for name in table.names where (table[name]?.record ?? 0) >= first { table.take(name) }
    horizon = min(horizon, first.previous)
  }

  private mutating func take(_ record: Record) -> Bool {
    // The answer includes older records.
    guard !isComplete || record.sequence > horizon else { return false }
    let name = ValueName(record.name)
    switch record.kind {
    case .update: return set(name, to: record)
    case .remove: return remove(name, by: record.sequence)
    case .action, .log, .mark, .revision, .restored, .other: return false
    }
  }

  private mutating func set(_ name: ValueName, to record: Record) -> Bool {
    guard table.count < Limits.valueCountMax || table[name] != nil else {
      leftOut.add(1)
      return false
    }
    let isNewer = table[name].map { $0.record < record.sequence } ?? true
    if isNewer { table.set(name, to: record, by: record.sequence) }
    return isNewer
  }

  private mutating func remove(_ name: ValueName, by record: SequenceNumber) -> Bool {
    if case .asked = phase {
      answers.remove(name, by: record)
      removed.note(name, by: record)
    }
    return !table.remove(name, by: record).isEmpty
  }
}

extension Record {
  /// ` ×12` after the name of a record that combines several equal actions; otherwise empty.
  package var countText: String { count > 1 ? " ×\(count)" : "" }
}
