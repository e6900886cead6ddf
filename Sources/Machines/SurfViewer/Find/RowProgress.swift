import SurfTimeline
import SurfWire

/// Which rows of a history a command has left to visit, oldest or newest first.
struct RowProgress: Sendable {
  let isNewestFirst: Bool
  /// Nil before the first step.
  private var left: Range<SequenceNumber>?

  init(newestFirst: Bool = false) { isNewestFirst = newestFirst }

  var isBegun: Bool { left != nil }

  /// Whether no rows are left to visit.
  var isDone: Bool { left?.isEmpty ?? false }

  /// The rows to visit from now on. Those that were visited stay so: the range may grow at the end
  /// that the command has not reached.
  mutating func extend(to range: Range<SequenceNumber>) {
    if isNewestFirst {
      let end = left?.upperBound ?? range.upperBound
      left = min(range.lowerBound, end)..<end
    } else {
      let start = left?.lowerBound ?? range.lowerBound
      left = start..<max(range.upperBound, start)
    }
  }

  /// The rows left; before the first step, all of them.
  func rows(in timeline: Timeline) -> ArraySlice<Row> {
    guard let left else { return timeline.rows[...] }
    let start = timeline.firstIndex(from: left.lowerBound)
    return timeline.rows[start..<timeline.firstIndex(from: left.upperBound)]
  }

  /// Takes the next `count` rows, or all that are left.
  mutating func take(_ count: Int, in timeline: Timeline) -> ArraySlice<Row> {
    let all = rows(in: timeline)
    let range = left ?? timeline.range
    if isNewestFirst {
      let rows = all.suffix(count)
      let end = rows.count < all.count ? rows.first?.number : nil
      left = range.lowerBound..<(end ?? range.lowerBound)
      return rows
    }
    let rows = all.prefix(count)
    let start = rows.count < all.count ? rows.last?.number.next : nil
    left = (start ?? range.upperBound)..<range.upperBound
    return rows
  }
}

extension Timeline {
  /// The numbers up to the newest row that is here.
  var range: Range<SequenceNumber> { 0..<(rows.last?.number.next ?? 0) }
}
