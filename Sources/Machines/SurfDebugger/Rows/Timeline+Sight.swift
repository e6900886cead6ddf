import SurfTimeline
import SurfViewer
import SurfWire

// A cursor never goes to a row that this viewer took out of sight: the ways lead on through it.
extension Timeline {
  package func isHidden(_ number: SequenceNumber) -> Bool {
    hiddenCount > 0 && row(number)?.isHidden == true
  }

  /// The row that caused another, or, if that is out of sight, the one that caused that.
  func shownCause(of row: Row) -> SequenceNumber? {
    var (cause, behind) = (row.parent, row.number)
    while let number = cause, isHidden(number) {
      // An app may name anything: a circle would have no end.
      guard number < behind else { return nil }
      (cause, behind) = (self.row(number)?.parent, number)
    }
    return cause
  }

  /// The first row that a row caused, through others out of sight, too.
  func shownEffect(of number: SequenceNumber) -> SequenceNumber? {
    rows.first { !$0.isHidden && shownCause(of: $0) == number }?.number
  }
}

extension BranchGraph {
  /// The row that a row grew from, or, if that is out of sight, the one that that grew from.
  func shownOrigin(of row: SequenceNumber, in timeline: Timeline) -> SequenceNumber? {
    var (found, behind) = (origin(of: row, in: timeline), row)
    while let origin = found, timeline.isHidden(origin) {
      guard origin < behind else { return nil }
      (found, behind) = (self.origin(of: origin, in: timeline), origin)
    }
    return found
  }

  /// The rows that grew from a row, ascending; those of a row out of sight stand in its place.
  func shownFutures(of row: SequenceNumber, in timeline: Timeline) -> [SequenceNumber] {
    var shown: [SequenceNumber] = []
    var open = [row]
    while let row = open.popLast() {
      for future in futures(of: row, in: timeline) where future > row {
        if timeline.isHidden(future) { open.append(future) } else { shown.append(future) }
      }
    }
    return shown.sorted()
  }
}

extension RowSearch {
  /// Those of its hits that are in sight.
  func shownHits(in timeline: Timeline) -> [SequenceNumber] {
    guard timeline.hiddenCount > 0 else { return hits }
    return hits.filter { !timeline.isHidden($0) }
  }
}

extension Timeline {
  /// Whether the app came by its own actions alone to where it is.
  ///
  /// - Parameters:
  ///   - start: where it was.
  ///   - newest: the newest row then.
  package func cameByItself(from start: Position, behind newest: SequenceNumber) -> Bool {
    let index = firstIndex(from: newest.next)
    var here = start
    for row in rows[index...] where row.isState {
      if let origin = parent(of: row), origin != here { return false }
      here = .record(row.number)
    }
    return here == position
  }
}

/// A viewer that moved an app, and its last move. Of viewers that only look nobody tells.
package struct Mover: Equatable, Sendable {
  package let viewer: ViewerID
  package let name: String
  package let target: Position
  /// The newest row at that time.
  let afterRow: SequenceNumber
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
