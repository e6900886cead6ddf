import SurfQuery
import SurfTimeline
import SurfWire

/// Which rows were set off, directly or not, by rows that a query names.
struct RowChains: Sendable {
  private var members: [[QueryChoice]: Set<SequenceNumber>]

  init(_ chains: Set<[QueryChoice]>) {
    members = Dictionary(uniqueKeysWithValues: chains.map { ($0, []) })
  }

  /// Rows in order: a cause comes before what it causes.
  mutating func add(_ rows: some Sequence<Row>) {
    guard !members.isEmpty else { return }
    for row in rows { add(row) }
  }

  mutating func add(_ row: Row) {
    for choices in members.keys {
      let isCaused = row.parent.map { members[choices]?.contains($0) ?? false } ?? false
      if isCaused || choices.contain(row.number.rawValue) {
        members[choices]?.insert(row.number)
      }
    }
  }

  func chains(of row: SequenceNumber) -> Set<[QueryChoice]> {
    Set(members.filter { $0.value.contains(row) }.keys)
  }
}
