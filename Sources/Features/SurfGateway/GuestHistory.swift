import JSONTree
import SurfControl
import SurfWire

/// Maps a guest's actions to rows, and describes its history as revisions. `GuestRecords` writes it
/// on `statesurf-guest`; `GuestBroadcast` resolves viewers' requests by a copy, on `statesurf-net`.
package struct GuestHistory {
  private static let viewerName = "Redux DevTools"
  /// Actions to remember; beyond that, the older half is dropped.
  private static let rowCountMax = 20_000
  /// Octets of states to keep, so that a jump can carry its state.
  private static let stateSizeMax = 8 * 1_024 * 1_024

  private var initial: JSON?
  private var committed: JSON?
  private var rows: [Int: SequenceNumber] = [:]
  /// Also contains rows that rewrote history: they map to the action where the app was then.
  private var ids: [SequenceNumber: Int] = [:]
  private var states: [Int: [UInt8]] = [:]
  /// The keys of `states`, oldest first.
  private var kept: [Int] = []
  private(set) var stateSize = 0

  mutating func begin(in state: JSON) {
    initial = initial ?? state
    committed = state
    (rows, ids, states, kept, stateSize) = ([:], [:], [:], [], 0)
    keep(state.bytes(), of: 0)
  }

  mutating func add(_ id: Int, as row: SequenceNumber, state: [UInt8]) {
    rows[id] = row
    ids[row] = id
    keep(state, of: id)
    guard ids.count > Self.rowCountMax else { return }
    let oldest = ids.keys.sorted()[ids.count / 2]
    ids = ids.filter { $0.key >= oldest }
    rows = rows.filter { $0.value >= oldest }
  }

  private mutating func keep(_ state: [UInt8], of id: Int) {
    if let former = states.updateValue(state, forKey: id) {
      stateSize -= former.count
    } else {
      kept.append(id)
    }
    stateSize += state.count
    shrink(to: Self.stateSizeMax)
  }

  /// Drops the oldest states until at most `sizeMax` octets are left, but never the newest.
  mutating func shrink(to sizeMax: Int) {
    while stateSize > sizeMax, kept.count > 1 {
      // Half of them, because dropping one moves all the others.
      for id in kept.prefix(kept.count / 2) {
        stateSize -= states.removeValue(forKey: id)?.count ?? 0
      }
      kept.removeFirst(kept.count / 2)
    }
  }

  /// The state after an action, or the initial one for 0; nil if it has been dropped.
  func state(of id: Int) -> [UInt8]? { states[id] }

  /// The action at a row. For a row that rewrote history, the action where the app was then.
  package func action(at position: Position) -> Int? {
    switch position {
    case .initial: 0
    case .record(let row): ids[row]
    case .elsewhere: nil
    }
  }

  // MARK: Revisions

  /// A revision that restarts history.
  var beginning: Revision {
    var revision = revision("reset")
    revision.staging = .init(oldest: 0, committed: committed, items: [], current: nil)
    return revision
  }

  var description: Revision {
    var revision = revision("describe")
    revision.initial = initial
    return revision
  }

  mutating func stand(_ standing: GuestProgress, as row: SequenceNumber) -> Revision {
    ids[row] = standing.current
    for item in standing.items { if let state = item.state { keep(state.bytes(), of: item.id) } }
    let items = standing.items.compactMap { item in
      rows[item.id].map { row in
        Revision.Item(row: row.rawValue, isSkipped: item.isSkipped, state: item.state)
      }
    }
    // If the app no longer keeps the oldest actions, the revision leaves them as they are.
    let isWhole = standing.items.first.map { $0.id == 1 } ?? true
    var revision = revision(standing.word)
    (revision.isLocked, revision.isPaused) = (standing.isLocked, standing.isPaused)
    // Only the app knows whether its replayed states are what would have happened.
    let count = items.count { $0.state != nil }
    if count > 0 { revision.replay = .unchecked(count) }
    revision.staging = .init(
      oldest: isWhole ? 0 : items.map(\.row).min() ?? 0, committed: isWhole ? committed : nil,
      items: items, current: rows[standing.current]?.rawValue)
    return revision
  }

  private func revision(_ word: String) -> Revision {
    Revision(
      command: word, viewerName: Self.viewerName, replay: .exact, isLocked: false,
      isPaused: false)
  }
}
