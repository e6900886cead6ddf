import SurfTimeline
import SurfWire

/// A viewer that moved an app, and its last move. Of viewers that only look nobody tells.
package struct Mover: Equatable, Sendable {
  package let viewer: ViewerID
  package let name: String
  package let target: Position
  /// The newest row at that time.
  package let afterRow: SequenceNumber
}

extension Timeline {
  /// Each viewer whose moves are known, who moved last first.
  package var movers: [Mover] {
    var known: Set<ViewerID> = []
    return markers.filter { $0.outcome == .applied }
      .sorted { $0.stamp.moveCount > $1.stamp.moveCount }
      .filter { known.insert($0.viewer).inserted }
      .map {
        Mover(viewer: $0.viewer, name: $0.viewerName, target: $0.target, afterRow: $0.afterRow)
      }
  }
}
