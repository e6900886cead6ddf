import SurfTransport
import SurfWire

/// How far history packets have arrived, in the order of the requests, for `MissingRuns`
/// (Protocol.md §10.4).
struct HistoryProgress: Sendable {
  /// The place of a packet in that order.
  struct Place: Comparable, Sendable {
    /// The number of the request.
    var number: Int
    var sequence: SequenceNumber

    static func < (left: Self, right: Self) -> Bool {
      (left.number, left.sequence) < (right.number, right.sequence)
    }
  }

  /// How far history had arrived at a time.
  private struct Mark: Sendable {
    var place: Place
    var at: Duration
  }

  /// When a history packet last arrived.
  private(set) var heardAt = Duration.zero
  /// The newest mark, one about a reorder wait older, and one before that. More marks are not
  /// needed.
  private var newest: Mark?
  private var recent: Mark?
  private var settled: Mark?

  /// Notes that history packets arrived.
  ///
  /// - Parameter place: the place of the one that was requested last; nil if unknown.
  mutating func note(_ place: Place?, at now: Duration) {
    heardAt = now
    guard let place else { return }
    let mark = Mark(place: max(place, newest?.place ?? place), at: now)
    newest = mark
    if recent.map({ now - $0.at >= Timers.reorderWait }) ?? true {
      (settled, recent) = (recent, mark)
    }
  }

  /// When a packet at a later place counts as arrived; nil if none has. The time includes a wait,
  /// because packets may be reordered a little.
  func passed(_ place: Place) -> Duration? {
    let mark = [settled, recent, newest].lazy.compactMap { $0 }.first { place < $0.place }
    return mark.map { $0.at + Timers.reorderWait }
  }
}
