import SurfControl
import SurfWire

/// Which rows are part of an instance's history, in which order, and how: what Redux DevTools calls
/// the lifted state, without the states themselves.
///
/// Rows may come in any order: the newest first, then the past.
package struct LiftedRows: Equatable, Sendable {
  /// Rows of actions in their order; not row 0.
  package private(set) var staged: [UInt64] = []
  package private(set) var skipped: Set<UInt64> = []
  /// The state that history begins with; nil for the initial state of the app.
  package private(set) var committed: Content?
  /// The row that the newest revision left the app in; nil if in none.
  package private(set) var current: UInt64?
  package var isLocked = false
  package var isPaused = false
  /// States that were computed again, with the revision that told so.
  private var revised: [UInt64: (state: Content, by: UInt64)] = [:]
  /// The newest revision of the rows, and the first row that it decides about.
  private var decision: (by: UInt64, from: UInt64) = (0, 0)

  package init() {}

  package static func == (left: LiftedRows, right: LiftedRows) -> Bool {
    left.staged == right.staged && left.skipped == right.skipped
      && left.committed == right.committed && left.isLocked == right.isLocked
      && left.isPaused == right.isPaused
      && left.revised.mapValues(\.state) == right.revised.mapValues(\.state)
  }

  /// The state after a row as it was computed last; nil if it is the one that was recorded.
  package func revisedState(of row: UInt64) -> Content? { revised[row]?.state }

  /// Whether history begins where the app did.
  package var beginsAtStart: Bool { committed == nil }

  /// An action happened.
  package mutating func append(_ row: UInt64) {
    // Those before a revision are part of history only if it says so.
    guard row > decision.by || row < decision.from else { return }
    guard let last = staged.last, row <= last || row < decision.from else {
      staged.append(row)
      return
    }
    // Of the past, in their order before all that a revision put in another.
    let end = staged.firstIndex { $0 >= row && $0 >= decision.from } ?? staged.count
    let index = staged[..<end].firstIndex { $0 >= row } ?? end
    if index < staged.count, staged[index] == row { return }
    staged.insert(row, at: index)
  }

  /// Somebody rewrote history, as `record` told.
  package mutating func apply(_ revision: Revision, of record: UInt64) {
    if record >= newestRevision {
      newestRevision = record
      isLocked = revision.isLocked
      isPaused = revision.isPaused
    }
    guard let staging = revision.staging else { return }
    for item in staging.items {
      guard let state = item.state, (revised[item.row]?.by ?? 0) <= record else { continue }
      revised[item.row] = (Content(type: Content.json, bytes: state.bytes()), record)
    }
    guard record > decision.by else { return }
    decision = (record, staging.oldest)
    current = staging.current
    let after = staged.filter { $0 > record }
    let before = staged.filter { $0 < staging.oldest }
    staged = before + staging.items.map(\.row) + after
    skipped = skipped.filter { $0 < staging.oldest || $0 > record }
      .union(staging.items.filter(\.isSkipped).map(\.row))
    if staging.oldest == 0 {
      committed = staging.committed.map { Content(type: Content.json, bytes: $0.bytes()) }
    }
    let kept = Set(staged)
    revised = revised.filter { kept.contains($0.key) || $0.value.by > record }
  }

  private var newestRevision: UInt64 = 0

  /// Forgets the oldest rows, which a viewer has no room for.
  package mutating func drop(before row: UInt64) {
    guard let first = staged.first, first < row else { return }
    staged.removeAll { $0 < row }
    skipped = skipped.filter { $0 >= row }
  }
}

// For an app that takes no commands, its viewer keeps the books alone.
extension LiftedRows {
  /// Leaves a row out, or takes it in again, without a state of its own.
  ///
  /// - Returns: the nearest row whose state stands in for what would have been computed; 0 for the
  ///   beginning. Nil if there is no such row.
  package mutating func toggleApproximately(_ row: UInt64) -> UInt64? {
    guard let index = staged.firstIndex(of: row) else { return nil }
    if skipped.remove(row) == nil { skipped.insert(row) }
    return staged[...index].last { !skipped.contains($0) } ?? 0
  }

  package mutating func sweep() {
    staged.removeAll { skipped.contains($0) }
    skipped = []
  }

  /// Begins anew, after the rows that there are, from `state`; nil for the app's beginning.
  package mutating func restart(from state: Content?, after row: UInt64) {
    staged = []
    skipped = []
    revised = [:]
    committed = state
    decision = (row, 0)
  }
}
