import SurfControl
import SurfTimeline
import SurfViewer
import SurfWire

// The cursor never goes to a hidden row. Links between rows lead through hidden rows to the next
// visible one.
extension Timeline {
  func isHidden(_ number: SequenceNumber) -> Bool {
    hiddenCount > 0 && row(number)?.isHidden == true
  }

  /// A row's cause. If that is hidden, the nearest of its own causes that is not.
  func shownCause(of row: Row) -> SequenceNumber? {
    var (cause, behind) = (row.parent, row.number)
    while let number = cause, isHidden(number) {
      // An app may name any row as the cause, so stop at a cycle.
      guard number < behind else { return nil }
      (cause, behind) = (self.row(number)?.parent, number)
    }
    return cause
  }

  /// The first row that a row caused, directly or through hidden rows.
  func shownEffect(of number: SequenceNumber) -> SequenceNumber? {
    rows.first { !$0.isHidden && shownCause(of: $0) == number }?.number
  }

  /// Whether every row that the app has announced is here, or lost for good.
  var isWhole: Bool {
    let known = SequenceNumber(UInt64(rows.count)).advanced(by: lost.count)
    return known >= newestNumber
  }

  /// Whether rows are missing, or lost, between this one and the newest that is here.
  func hasHole(behind number: SequenceNumber) -> Bool {
    let count = rows.count - firstIndex(from: number.next)
    return WireCount(count) != number.distance(to: rows.last?.number ?? 0)
  }

  /// Whether the app got to its position by its own actions only, with no move since. If so, an
  /// open `Consent` need not be asked again.
  ///
  /// - Parameters:
  ///   - start: the app's position when it was asked.
  ///   - newest: the newest row at that time.
  func cameByItself(from start: Position, behind newest: SequenceNumber) -> Bool {
    let index = firstIndex(from: newest.next)
    var here = start
    for row in rows[index...] where row.isState {
      if let origin = parent(of: row), origin != here { return false }
      here = .record(row.number)
    }
    return here == position
  }

  /// The last move of each viewer that has moved the app, the latest first. Viewers that only look
  /// are unknown.
  var lastMoves: [Marker] {
    var known: Set<ViewerID> = []
    return markers.filter { $0.outcome == .applied }
      .sorted { $0.stamp.moveCount > $1.stamp.moveCount }
      .filter { known.insert($0.viewer).inserted }
  }
}

extension Timeline {
  /// Whether a row is neither here nor lost.
  func isAbsent(_ number: SequenceNumber) -> Bool {
    number > 0 && number <= newestNumber && row(number) == nil && !lost.contains(number)
  }

  /// Whether these absent rows are newer than all that are here, so that they will probably arrive.
  func isComing(_ range: ClosedRange<SequenceNumber>) -> Bool {
    range.lowerBound > rows.last?.number ?? 0
  }
}

extension Record {
  /// Whether it only gives a viewer the initial state, and what the app offers.
  var isDescription: Bool { kind == .revision && name.hasPrefix(initialStateTitle) }
}

extension BranchGraph {
  /// The row that a row grew from. If that is hidden, the nearest of its own origins that is not.
  func shownOrigin(of row: SequenceNumber, in timeline: Timeline) -> SequenceNumber? {
    var (found, behind) = (origin(of: row, in: timeline), row)
    while let origin = found, timeline.isHidden(origin) {
      guard origin < behind else { return nil }
      (found, behind) = (self.origin(of: origin, in: timeline), origin)
    }
    return found
  }

  /// The rows that grew from a row, ascending. Hidden rows are replaced by the rows that grew from
  /// them.
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

  /// The fork that a row grew from, otherwise the row itself if it is a fork, otherwise the nearest
  /// fork on the way to it; nil if none is known.
  ///
  /// In this order, so that the futures of a fork form a circle even if one of them is a fork.
  func shownFork(around row: SequenceNumber, in timeline: Timeline) -> Fork? {
    let before = shownFork(before: row, in: timeline)
    if let before, before.futures[before.index] == row { return before }
    let futures = shownFutures(of: row, in: timeline)
    guard futures.count > 1 else { return before }
    // A person at the fork wants the future that the app is not in.
    let way = timeline.position.row.map { line(to: $0) } ?? []
    let index = futures.firstIndex { future in way.contains { $0.contains(future) } }
    return Fork(row: row, futures: futures, index: index ?? 0)
  }

  private func shownFork(before row: SequenceNumber, in timeline: Timeline) -> Fork? {
    // Without a branch that begins there, a row has one future at most.
    let origins = branches.compactMap(\.origin.row).sorted()
    guard let first = origins.first else { return nil }
    var behind = row
    while let origin = shownOrigin(of: behind, in: timeline), first < behind, origin < behind {
      // Hidden rows may be forks, too.
      let next = origins.partitionPoint { $0 >= origin }
      if next < origins.count, origins[next] < behind {
        let futures = shownFutures(of: origin, in: timeline)
        if futures.count > 1, let index = futures.firstIndex(of: behind) {
          return Fork(row: origin, futures: futures, index: index)
        }
      }
      behind = origin
    }
    return nil
  }

  /// A row where the history forks.
  struct Fork {
    let row: SequenceNumber
    let futures: [SequenceNumber]
    /// The future on whose way the search began; at the fork itself, that of the app.
    let index: Int
  }
}

extension RowSearch {
  /// The hits that are not hidden.
  func shownHits(in timeline: Timeline) -> [SequenceNumber] {
    guard timeline.hiddenCount > 0 else { return hits }
    return hits.filter { !timeline.isHidden($0) }
  }
}
