import SurfWire

/// A viewer moved the app. Shown between rows, and never one itself: surfing adds no history.
package struct Marker: Equatable, Sendable {
  /// The newest row at that time: the marker stands after it.
  package var afterRow: SequenceNumber { stamp.newestRecord }
  package var stamp: PositionStamp
  package var viewer: ViewerID
  package var request: UInt64
  package var viewerName: String
  /// Where the app was; nil when this viewer could not know.
  package var origin: Position?
  /// Where it is now; where it stayed, if it refused to move.
  package var target: Position
  package var outcome: Outcome.Result
}

// Reports on the position overtake each other, and the past is reported after the present: the
// newest counts, whenever it comes (Protocol.md §11.7).
extension Timeline {
  /// Adds a marker, and moves the position if this is news. The same note twice is one marker.
  ///
  /// - Returns: the new marker; nil if it was known.
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

  /// Learns from a heartbeat where the app is and how far its stream goes.
  package mutating func note(_ heartbeat: Heartbeat) {
    let newest = min(heartbeat.progress.newestRecord, SequenceNumber.max.previous)
    newestNumber = max(newestNumber, newest)
    var stamp = heartbeat.stamp
    stamp.newestRecord = max(stamp.newestRecord, newest)
    place(heartbeat.position, stamp)
  }

  /// A record with a state is where the app is after it.
  mutating func movePosition(with row: Row) {
    guard row.isState, row.number > stamp.newestRecord else { return }
    // The record knows of no moves, but no known move came after it.
    place(
      .record(row.number), PositionStamp(newestRecord: row.number, moveCount: stamp.moveCount))
  }

  private mutating func place(_ position: Position, _ stamp: PositionStamp) {
    guard stamp >= self.stamp else { return }
    self.position = position
    self.stamp = stamp
  }

  /// Where the app was before a restore. If that made a row of the state, then before that row.
  private func origin(of restored: Restored) -> Position? {
    let origin = position(before: restored.stamp)
    guard origin == restored.position, let number = origin?.row, let row = row(number),
      row.record.kind == .restored, number == restored.stamp.newestRecord,
      !markers.contains(where: { $0.target == origin })
    else { return origin }
    return parent(of: row)
  }

  /// Where the app was before a move; nil if the report on that has not come, or is forgotten.
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
