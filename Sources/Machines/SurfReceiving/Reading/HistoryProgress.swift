import SurfTransport
import SurfWire

/// How far history has come, in the order in which it was asked for (Protocol.md §10.4).
struct HistoryProgress: Sendable {
  /// Where a packet stands in that order.
  struct Place: Comparable, Sendable {
    /// Of the request.
    var number: Int
    var sequence: SequenceNumber

    static func < (left: Self, right: Self) -> Bool {
      (left.number, left.sequence) < (right.number, right.sequence)
    }
  }

  /// How far it had come, and when that was known.
  private struct Mark: Sendable {
    var place: Place
    var at: Duration
  }

  /// When history came last.
  private(set) var heardAt = Duration.zero
  /// The newest mark, one about a reorder wait older, and one before that. Marks in between say no
  /// more.
  private var newest: Mark?
  private var recent: Mark?
  private var settled: Mark?

  /// History has come.
  ///
  /// - Parameter place: of its packet that was asked for last; nil if none is known.
  mutating func note(_ place: Place?, at now: Duration) {
    heardAt = now
    guard let place else { return }
    let mark = Mark(place: max(place, newest?.place ?? place), at: now)
    newest = mark
    if recent.map({ now - $0.at >= Timers.reorderWait }) ?? true {
      (settled, recent) = (recent, mark)
    }
  }

  /// When something that was asked for later than this is taken to have come; nil if nothing has.
  /// Packets may have overtaken each other a little.
  func passed(_ place: Place) -> Duration? {
    let mark = [settled, recent, newest].lazy.compactMap { $0 }.first { place < $0.place }
    return mark.map { $0.at + Timers.reorderWait }
  }
}
