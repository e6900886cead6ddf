import SurfWire

/// An entry in a list of rows: of `Timeline.items`, and of the debugger's own `RowList`.
package enum TimelineItem: Equatable, Sendable {
  /// The program started again: `Timeline.previousRun` ended before.
  case restarted
  /// Row 0.
  case initial
  case row(Row)
  /// Records that the app no longer has.
  case gap(ClosedRange<SequenceNumber>)
  /// Records that this viewer never requested, or has evicted.
  case notLoaded(ClosedRange<SequenceNumber>)
  case marker(Marker)
}

extension Timeline {
  /// All items, oldest first, without hidden rows. The gateway finds the runs to load with it.
  package var items: [TimelineItem] {
    var items: [TimelineItem] = previousRun == nil ? [.initial] : [.restarted, .initial]
    var pending = markers.sorted { $0.afterRow < $1.afterRow }[...]
    func takeMarkers(before number: SequenceNumber) {
      while let marker = pending.first, marker.afterRow < number {
        items.append(.marker(marker))
        pending.removeFirst()
      }
    }
    var next: SequenceNumber = 1
    for row in rows {
      if next < row.number { items += absent(next...row.number.previous) }
      takeMarkers(before: row.number)
      if !row.isHidden { items.append(.row(row)) }
      next = row.number.next
    }
    if next <= newestNumber { items += absent(next...newestNumber) }
    takeMarkers(before: .max)
    return items
  }

  private func absent(_ range: ClosedRange<SequenceNumber>) -> [TimelineItem] {
    let gaps = lost.intersection(range).map { ($0.lowerBound, TimelineItem.gap($0)) }
    let holes = lost.complement(in: range).map { ($0.lowerBound, TimelineItem.notLoaded($0)) }
    return (gaps + holes).sorted { $0.0 < $1.0 }.map(\.1)
  }
}
