import SurfWire

/// A viewer's move of the app. It is shown between rows, but is not a row: surfing adds no history.
///
/// Back, forward and undo start from the position, so a wrong one moves the app wrongly.
package struct Marker: Equatable, Sendable {
  /// The newest row at that time; the marker is listed after it.
  package var afterRow: SequenceNumber { stamp.newestRecord }
  package var stamp: PositionStamp
  package var viewer: ViewerID
  package var request: UInt64
  package var viewerName: String
  /// Where the app was; nil if unknown.
  package var origin: Position?
  /// Where the app was after it, even if it refused to move.
  package var target: Position
  package var outcome: Outcome.Result
}

// Reports on the position can arrive out of order, and the backlog reports the past after the
// present. The newest stamp wins (Protocol.md §11.7).
extension Timeline {
  /// Adds a marker, and moves the position if the stamp is the newest. Ignores a repeated report.
  ///
  /// - Returns: the new marker; nil if it is known already.
  @discardableResult
  package mutating func note(_ restored: Restored) -> Marker? {
    let isKnown = markers.contains {
      $0.viewer == restored.viewer && $0.request == restored.request
    }
    guard !isKnown else { return nil }
    let marker = Marker(
      stamp: restored.stamp, viewer: restored.viewer, request: restored.request,
      viewerName: restored.viewerName, origin: origin(of: restored),
      target: restored.position, outcome: restored.outcome)
    markers.append(marker)
    if markers.count > bounds.markerCountMax { markers.removeFirst() }
    place(restored.position, restored.stamp)
    return marker
  }

  /// Takes the app's position and its newest record's number from a heartbeat.
  package mutating func note(_ heartbeat: Heartbeat) {
    let newest = min(heartbeat.progress.newestRecord, SequenceNumber.max.previous)
    newestNumber = max(newestNumber, newest)
    var stamp = heartbeat.stamp
    firstReport = firstReport ?? (stamp.newestRecord, heartbeat.position)
    stamp.newestRecord = max(stamp.newestRecord, newest)
    place(heartbeat.position, stamp)
  }

  /// After a record with a state, the app is in that state.
  mutating func movePosition(with row: Row) {
    guard row.isState, row.number > stamp.newestRecord else { return }
    // The record does not count moves, but every known move came before it.
    place(
      .record(row.number), PositionStamp(newestRecord: row.number, moveCount: stamp.moveCount))
  }

  private mutating func place(_ position: Position, _ stamp: PositionStamp) {
    guard stamp >= self.stamp else { return }
    self.position = position
    self.stamp = stamp
  }

  /// Where the app was before a restore. If the restore itself made a row, before that row.
  private func origin(of restored: Restored) -> Position? {
    let origin = position(before: restored.stamp)
    guard origin == restored.position, let number = origin?.row, let row = row(number),
      row.record.kind == .restored, number == restored.stamp.newestRecord,
      !markers.contains(where: { $0.target == origin })
    else { return origin }
    return parent(of: row)
  }

  /// Where the app was before a move; nil if the report on that is missing or evicted.
  private func position(before move: PositionStamp) -> Position? {
    guard move.moveCount > 0 else { return nil }
    let count = move.moveCount.subtracting(1)
    if stamp.moveCount == count, stamp.newestRecord == move.newestRecord { return position }
    let before = markers.last { $0.stamp.moveCount == count }
    guard before != nil || count == 0 else { return nil }
    let start = before?.afterRow ?? 0
    var number = move.newestRecord
    while number > start {
      guard let row = row(number) else { return nil }
      if row.isState { return .record(number) }
      number = number.previous
    }
    return before?.target ?? .initial
  }
}
