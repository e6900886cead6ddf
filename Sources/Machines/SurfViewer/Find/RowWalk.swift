import JSONTools
import JSONTree
import SurfControl
import SurfQuery
import SurfTimeline
import SurfWire

/// Goes through the rows of an instance, the oldest first, and tells of each what can be asked of
/// it. States are made and read one after the other.
package struct RowWalk: Sendable {
  /// A row with its states, and how far they can be trusted.
  package struct Visit: Sendable {
    package let subject: QuerySubject
    /// Rows between it and the state before are missing, or were without theirs: what it changed
    /// may be what they changed.
    package let isAfterGap: Bool
    package let hasState: Bool
  }

  private let asksStates: Bool
  private var cursor = StateCursor()
  private var reader = JSONRereader()
  /// Of the last row with a state; nil if none is known, or it is not JSON.
  private var state: JSON?
  private var size: Int?
  /// The last row visited.
  private var last: Record?
  /// Whether the last row has changed the state.
  private var isChanged = false
  /// What tells its state from the state before; nil if that is not known.
  private var changes: [JSONReplacement]?
  private var visitCount = 0
  /// Whether rows were passed over since the last state.
  private var hasGap = false

  /// - Parameter asksStates: whether states are wanted, or only the rows themselves.
  package init(asksStates: Bool = true) { self.asksStates = asksStates }

  /// Begins before a row: the last state before it is the state before.
  package mutating func begin(before number: SequenceNumber, in timeline: Timeline) {
    let visitCount = visitCount + 1
    self = RowWalk(asksStates: asksStates)
    self.visitCount = visitCount
    let rows = timeline.rows[..<timeline.firstIndex(from: number)]
    guard let near = rows.last else { return }
    let full = rows.lastIndex { $0.stateSize != nil }
    if let full { _ = visit(rows[full], in: timeline) }
    for row in rows[(full.map { $0 + 1 } ?? rows.startIndex)...] { pass(row) }
    last = near.record
  }

  /// A row that has no state.
  private mutating func pass(_ row: Row) {
    hasGap = hasGap || !isNext(row) || row.state != .none
    last = row.record
  }

  private func isNext(_ row: Row) -> Bool {
    last.map { $0.sequence.next == row.number } ?? (row.number == 1)
  }

  /// What can be asked of the next row.
  package mutating func visit(_ row: Row, in timeline: Timeline) -> Visit {
    hasGap = hasGap || !isNext(row)
    var subject = QuerySubject(row.record, state: state, before: state)
    subject.sizeBefore = size
    subject.stateSize = row.stateSize
    subject.sinceBefore = last.flatMap { Self.time(from: $0, to: row.record) }
    subject.viewer = Self.viewer(of: row.record, in: timeline)
    let isAfterGap = hasGap
    (isChanged, changes) = (false, [])
    let hasState = read(row, in: timeline)
    subject.state = state
    subject.isChanged = isChanged
    visitCount += 1
    subject.step = StateStep(visitCount, changes: changes)
    last = row.record
    return Visit(subject: subject, isAfterGap: isAfterGap, hasState: hasState)
  }

  /// Whether the row has a state that is here.
  private mutating func read(_ row: Row, in timeline: Timeline) -> Bool {
    switch row.state {
    case .none: return false
    case .dropped, .givenUp, .unreadable:
      hasGap = true
      return false
    case .whole(_, let size):
      self.size = size
      hasGap = false
    }
    guard asksStates else { return true }
    switch cursor.read(row, in: timeline) {
    case .none, .same: break
    case .bytes(let bytes): isChanged = read(bytes)
    }
    return true
  }

  /// Whether the state differs from the one before.
  private mutating func read(_ bytes: [UInt8]) -> Bool {
    switch reader.read(bytes) {
    case .invalid:
      defer { state = nil }
      changes = nil
      return state != nil
    case .value(let json, let isSame, let replaced):
      // One that is not JSON may stand between them.
      defer { state = json }
      changes = replaced
      return state == nil || !isSame
    }
  }

  private static func time(from record: Record, to next: Record) -> UInt64? {
    let (time, isBack) = next.uptime.subtractingReportingOverflow(record.uptime)
    return isBack ? nil : time
  }

  /// Who rewrote the history by this record, or moved the app before it acted.
  private static func viewer(of record: Record, in timeline: Timeline) -> String? {
    if record.kind == .revision {
      do throws(ControlError) {
        return try Revision(parsing: record.payload?.bytes ?? []).viewerName
      } catch {
        return nil
      }
    }
    guard let move = record.growth?.move, !move.isZero else { return nil }
    return timeline.markers.last { $0.stamp.moveCount == move }?.viewerName
  }
}
