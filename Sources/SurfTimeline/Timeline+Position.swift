import SurfWire

/// Somebody moved the app. Shown between rows, and never one itself: surfing adds no history.
package struct Marker: Equatable, Sendable {
  /// The newest row at that time: the marker stands after it.
  package var afterRow: UInt64
  package var viewer: ViewerID
  package var request: UInt64
  package var viewerName: String
  /// Where the app was; nil when this viewer could not know.
  package var origin: Position?
  /// Where it is now; where it stayed, if it would not be moved.
  package var target: Position
  package var outcome: Outcome.Result
}

extension Timeline {
  /// Adds a marker and moves the position. The same note twice is one marker.
  ///
  /// - Returns: the new marker; nil if it was known.
  @discardableResult
  package mutating func note(_ restored: Restored) -> Marker? {
    let isKnown = markers.contains {
      $0.viewer == restored.viewer && $0.request == restored.request
    }
    guard !isKnown else { return nil }
    let isNews = restored.newestRecord >= positionAge
    let marker = Marker(
      afterRow: restored.newestRecord, viewer: restored.viewer, request: restored.request,
      viewerName: restored.viewerName, origin: isNews ? position : nil,
      target: restored.position, outcome: restored.outcome)
    markers.append(marker)
    if markers.count > bounds.markerCountMax { markers.removeFirst() }
    if isNews { place(restored.position, asOf: restored.newestRecord) }
    return marker
  }

  /// Learns from a heartbeat where the app is and how far its stream goes.
  package mutating func note(_ heartbeat: Heartbeat) {
    guard heartbeat.uptime >= heartbeatUptime else { return }
    heartbeatUptime = heartbeat.uptime
    let newest = min(heartbeat.progress.newestRecord, .max - 1)
    newestNumber = max(newestNumber, newest)
    if newest >= positionAge { place(heartbeat.position, asOf: newest) }
  }

  /// An action or a revision puts the app into the state after it, and so does a mark that stands
  /// for missing actions (Protocol.md §12); unless the position is newer, as it is while the
  /// backlog arrives.
  mutating func movePosition(with record: Record) {
    guard [.action, .revision, .mark].contains(record.kind), record.sequence > positionAge,
      record.state != .none
    else {
      return
    }
    place(.record(record.sequence), asOf: record.sequence)
  }

  private mutating func place(_ position: Position, asOf newest: UInt64) {
    self.position = position
    positionAge = newest
  }
}
