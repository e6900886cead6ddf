import SurfObserver
import SurfTimeline
import SurfWire

/// The rows of a history that are as they will stay: nothing that a question looks at will still
/// arrive.
package struct SettledRows: Equatable, Sendable {
  package var range: Range<SequenceNumber>
  /// Whether these are all rows that will be.
  package var isAll = false
  /// Whether the app can still be asked for its initial state, which no row here tells.
  package var mayAskInitialState = false
}

/// How an app's history is read for a question: from its beginning, or in ever larger parts from
/// its end.
struct HistoryReading {
  private(set) var request: HistoryRequest
  private let isNewestFirst: Bool
  /// Whether all that was requested has arrived, as far as it ever will.
  var isComplete = false
  /// Whether the app is gone, so that no request is of use.
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
    request = newestFirst ? Self.request(for: Self.firstCount, newest) : .since(1)
  }

  private static func request(for count: WireCount, _ newest: SequenceNumber) -> HistoryRequest {
    count > partCountMax || SequenceNumber(0).distance(to: newest) <= count
      ? .since(1) : .last(count)
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
    return SettledRows(range: min(Self.firstSettled(in: timeline), end)..<end)
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

  /// The first row of a part behind which every row has the state that it grew from.
  private static func firstSettled(in timeline: Timeline) -> SequenceNumber {
    let rows = timeline.rows
    guard let first = rows.first?.number else { return 0 }
    // The rows up to the first state are in a state that is in no row here.
    let state = rows.firstIndex(where: \.isState) ?? rows.count - 1
    let cut = rows.lastIndex { row in
      guard let origin = row.record.grownFrom?.origin else { return false }
      guard case .record(let number) = origin else {
        return origin == .initial && timeline.initialState == nil
      }
      return number < first && !timeline.lost.contains(number)
    }
    return rows[max(state, cut ?? 0)].number.next
  }
}
