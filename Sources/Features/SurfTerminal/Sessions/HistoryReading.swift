import SurfObserver
import SurfTimeline
import SurfWire

/// Rows of a history that can no longer change: everything that a question looks at there has
/// arrived.
package struct SettledRows: Equatable, Sendable {
  package var range: Range<SequenceNumber>
  /// Whether no more rows will arrive.
  package var isAll = false
  /// Whether the app can still be asked for its initial state, which no loaded row has.
  var mayAskInitialState = false
}

/// How an app's history is read for a question: from its beginning, or in ever larger parts from
/// its end.
struct HistoryReading {
  private(set) var request: HistoryRequest
  private let isNewestFirst: Bool
  /// Whether all that was requested has arrived, as far as it ever will.
  var isComplete = false
  /// Whether the app is gone, so that requests are useless.
  var isEnded = false
  /// The rows before this one have arrived, or are lost.
  private var next: SequenceNumber = 1
  /// The row after the newest one when the first part was complete.
  private var end: SequenceNumber?

  /// The first part takes a few milliseconds. The next part repeats it, which costs little.
  private static let firstCount: WireCount = 256
  private static let partCountMax: WireCount = 65_536

  init(newestFirst: Bool, newest: SequenceNumber) {
    isNewestFirst = newestFirst
    request = newestFirst ? Self.request(for: Self.firstCount, newest) : .all
  }

  private static func request(for count: WireCount, _ newest: SequenceNumber) -> HistoryRequest {
    count > partCountMax || SequenceNumber(0).distance(to: newest) <= count
      ? .all : .last(count)
  }

  /// Requests a larger part. Returns false if all was requested.
  mutating func widen(_ timeline: Timeline) -> Bool {
    guard case .last(let count) = request, !isEnded else { return false }
    let larger = count.doubled().doubled().doubled()
    request = Self.request(for: larger, timeline.newestNumber)
    isComplete = false
    return true
  }

  mutating func settled(in timeline: Timeline) -> SettledRows {
    guard isNewestFirst else { return settledFromBeginning(in: timeline) }
    guard isComplete || isEnded else { return SettledRows(range: 0..<0) }
    let end = end ?? timeline.newestNumber.next
    self.end = end
    guard case .last = request, !isEnded else { return SettledRows(range: 0..<end, isAll: true) }
    return SettledRows(range: Self.firstSettled(in: timeline, before: end)..<end)
  }

  private mutating func settledFromBeginning(in timeline: Timeline) -> SettledRows {
    if isComplete || isEnded {
      let end = end ?? timeline.newestNumber.next
      self.end = end
      return SettledRows(range: 0..<end, isAll: true)
    }
    var index = timeline.firstIndex(from: next)
    while true {
      if index < timeline.rows.count, timeline.rows[index].number == next {
        next = next.next
        index += 1
      } else if let run = timeline.lost.runs.first(where: { $0.contains(next) }) {
        next = run.upperBound.next
        index = timeline.firstIndex(from: next)
      } else {
        return SettledRows(range: 0..<next)
      }
    }
  }

  /// The first row of those before `end` after which every row has the state that it grew from.
  private static func firstSettled(
    in timeline: Timeline, before end: SequenceNumber
  ) -> SequenceNumber {
    let rows = part(of: timeline, before: end)
    // The rows up to the first state are in a state that no row here has.
    guard let first = rows.first?.number, let state = rows.firstIndex(where: \.isState) else {
      return end
    }
    let cut = rows.lastIndex { row in
      guard let origin = row.record.grownFrom?.origin else { return false }
      guard case .record(let number) = origin else {
        return origin == .initial && timeline.initialState == nil
      }
      return number < first && !timeline.lost.contains(number)
    }
    return rows[max(state, cut ?? state)].number.next
  }

  /// The rows before `end` and after the last hole, where rows may exist that were not requested.
  /// An app sends its newest state first, however far before the requested part it is.
  private static func part(
    of timeline: Timeline, before end: SequenceNumber
  ) -> ArraySlice<Row> {
    let rows = timeline.rows[..<timeline.firstIndex(from: end)]
    var start = rows.endIndex
    var next = end
    while start > rows.startIndex {
      let row = rows[start - 1].number
      if row.next < next, !timeline.lost.complement(in: row.next...next.previous).isEmpty { break }
      (start, next) = (start - 1, row)
    }
    return rows[start...]
  }
}
