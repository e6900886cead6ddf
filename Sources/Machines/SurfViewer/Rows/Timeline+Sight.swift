import SurfTimeline
import SurfWire

// A cursor never goes to a row that this viewer took out of sight: the ways lead on through it.
extension Timeline {
  package func isHidden(_ number: SequenceNumber) -> Bool {
    hiddenCount > 0 && row(number)?.isHidden == true
  }

  /// The row that caused another, or, if that is out of sight, the one that caused that.
  package func shownCause(of row: Row) -> SequenceNumber? {
    var (cause, behind) = (row.parent, row.number)
    while let number = cause, isHidden(number) {
      // An app may name anything: a circle would have no end.
      guard number < behind else { return nil }
      (cause, behind) = (self.row(number)?.parent, number)
    }
    return cause
  }

  /// The first row that a row caused, through others out of sight, too.
  package func shownEffect(of number: SequenceNumber) -> SequenceNumber? {
    rows.first { !$0.isHidden && shownCause(of: $0) == number }?.number
  }
}

extension BranchGraph {
  /// The row that a row grew from, or, if that is out of sight, the one that that grew from.
  package func shownOrigin(of row: SequenceNumber, in timeline: Timeline) -> SequenceNumber? {
    var (found, behind) = (origin(of: row, in: timeline), row)
    while let origin = found, timeline.isHidden(origin) {
      guard origin < behind else { return nil }
      (found, behind) = (self.origin(of: origin, in: timeline), origin)
    }
    return found
  }

  /// The rows that grew from a row, ascending; those of a row out of sight stand in its place.
  package func shownFutures(of row: SequenceNumber, in timeline: Timeline) -> [SequenceNumber] {
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
  package func shownHits(in timeline: Timeline) -> [SequenceNumber] {
    guard timeline.hiddenCount > 0 else { return hits }
    return hits.filter { !timeline.isHidden($0) }
  }
}
