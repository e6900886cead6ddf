import SurfBasics
import SurfTimeline
import SurfViewer
import SurfWire

/// Rows that the debugger requests again: they were evicted, or have lost their contents, and the
/// cursor or a search has reached them.
struct RowFetch: Equatable, Sendable {
  let rows: ClosedRange<SequenceNumber>
  private var progress = Progress.none

  private enum Progress: Equatable, Sendable {
    case none
    /// It ends at `end` unless fewer rows are absent by then.
    case requested(absent: WireCount, absentAtFirst: WireCount, end: Duration)
    /// All rows have arrived or been reported lost, or no more of them came.
    case over(isInVain: Bool)
  }

  /// Some screens full.
  static let rowCountMax: WireCount = 256
  /// Octets of states; a fetch takes at least a row and the one before it.
  private static let sizeMax = 8 << 20
  /// Longer than a slow network pauses. A live app may never answer, and the timeline may have no
  /// room for what arrives.
  private static let patience = Duration.seconds(10)

  /// The rows around one.
  ///
  /// - Parameter stateSize: Octets of that row's state.
  init(
    around row: SequenceNumber, within range: ClosedRange<SequenceNumber>, stateSize: Int = 0,
    count: WireCount = rowCountMax
  ) {
    let fitting = WireCount(UInt64(max(2, Self.sizeMax / max(1, stateSize))))
    let count = min(count, fitting)
    let upper = min(range.upperBound, row.advanced(by: count.divided(by: 2)))
    let lower = max(range.lowerBound, upper.next.goingBack(by: count))
    rows = lower...min(range.upperBound, max(upper, lower.advanced(by: count).previous))
  }

  var isRequested: Bool { progress != .none }

  /// Whether more of the rows may arrive.
  var isUnderWay: Bool { if case .over = progress { false } else { true } }

  /// Whether it has ended and none of the absent rows came.
  var wasInVain: Bool { progress == .over(isInVain: true) }

  /// When to call `advance`; nil for never.
  var deadline: Duration? { if case .requested(_, _, let end) = progress { end } else { nil } }

  mutating func request(in timeline: Timeline, at now: Duration) {
    let absent = absentCount(in: timeline)
    progress = .requested(absent: absent, absentAtFirst: absent, end: now + Self.patience)
    advance(in: timeline, at: now)
  }

  /// Call it after each event.
  mutating func advance(in timeline: Timeline, at now: Duration) {
    guard case .requested(let before, let first, var end) = progress else { return }
    let absent = min(before, absentCount(in: timeline))
    if absent < before { end = now + Self.patience }
    let isOver = absent.isZero || end <= now
    progress =
      isOver
      ? .over(isInVain: !absent.isZero && absent == first)
      : .requested(absent: absent, absentAtFirst: first, end: end)
  }

  /// The rows that have neither arrived nor been reported lost.
  private func absentCount(in timeline: Timeline) -> WireCount {
    let here =
      timeline.firstIndex(from: rows.upperBound.next) - timeline.firstIndex(from: rows.lowerBound)
    let known = timeline.lost.intersection(rows).reduce(WireCount(UInt64(here))) {
      $0.adding($1.length)
    }
    return rows.length.subtracting(known)
  }
}

/// A search for a hit that has reached rows that are not here, or that were not searched yet.
struct HitHunt: Equatable, Sendable {
  enum Goal: Equatable, Sendable {
    case next, previous
    /// The last hit before the origin, in its own past.
    case writer
  }

  let goal: Goal
  /// Where the search begins.
  let origin: SequenceNumber
  /// The rows from the origin to this one have been fetched.
  var frontier: SequenceNumber

  init(_ goal: Goal, from origin: SequenceNumber) {
    (self.goal, self.origin, frontier) = (goal, origin, origin)
  }

  var isNext: Bool { goal == .next }

  /// Newer rows than those that are here will probably arrive without a request.
  func end(in timeline: Timeline) -> SequenceNumber {
    isNext ? timeline.rows.last?.number ?? 0 : 1
  }

  /// More than for the cursor: only the hits are looked at.
  static let rowCount: WireCount = 1_024
}

extension Debugger {
  /// Whether the app can be asked for rows that are not here. Until it has sent all that it has,
  /// they may be on their way.
  func canFetch(from instance: Instance) -> Bool {
    instance.status == .live && caughtUp.contains(instance.session) && !setting.observes
      && !setting.isWithin
  }

  /// Requests the rows around the cursor if they are not here, once the last request is answered.
  func fetch(for view: inout AppView, _ instance: Instance) -> [DebuggerEffect] {
    let timeline = instance.timeline
    view.fetch?.advance(in: timeline, at: now)
    if view.hunt == nil, canFetch(from: instance), view.fetch?.isUnderWay != true,
      let lacked = view.lacked(in: timeline), view.fetch?.rows.contains(lacked.row) != true
    {
      view.fetch = lacked.fetch
    }
    guard let fetch = view.fetch, !fetch.isRequested else { return [] }
    view.fetch?.request(in: timeline, at: now)
    return [.refetch(instance.session, fetch.rows)]
  }

  /// Goes to a hit, as soon as it is known which one that is.
  mutating func hunt(_ goal: HitHunt.Goal, from origin: SequenceNumber, _ instance: Instance) {
    views[instance.session]?.hunt = HitHunt(goal, from: origin)
    _ = goOnHunting(instance)
  }

  /// Takes the next step of a hunt, once the rows of the last one are here and have been searched.
  ///
  /// - Returns: whether something has changed.
  mutating func goOnHunting(_ instance: Instance) -> Bool {
    let (app, timeline) = (instance.session, instance.timeline)
    guard let view = views[app], let hunt = view.hunt else { return false }
    guard let find = view.find else {
      views[app]?.hunt = nil
      return false
    }
    let hits = hunt.goal == .writer ? view.branches.past(of: hunt.origin, find.hits) : find.hits
    let list = RowList(timeline, hits: hits)
    let origin = ListPlace(hunt.origin)
    let next = hunt.isNext ? list.place(after: origin) : list.place(before: origin)
    guard find.isSure(of: next?.number, hunt) else { return false }
    let isFetching = view.fetch?.isUnderWay == true
    if hunt.frontier != hunt.origin, let fetch = view.fetch {
      if isFetching { return false }
      if fetch.wasInVain {
        views[app]?.hunt = nil
        tell(
          "rows \(fetch.rows.lowerBound)–\(fetch.rows.upperBound) did not arrive: the search for "
            + "\(find.text) ends there", .failed)
        return true
      }
    }
    if canFetch(from: instance),
      let hole = timeline.hole(
        hunt.isNext ? .after : .before, hunt.frontier,
        through: next?.number ?? hunt.end(in: timeline))
    {
      if isFetching { return false }
      let fetch = RowFetch(
        around: hunt.isNext ? hole.lowerBound : hole.upperBound, within: hole,
        count: HitHunt.rowCount)
      views[app]?.fetch = fetch
      views[app]?.hunt?.frontier = hunt.isNext ? fetch.rows.upperBound : fetch.rows.lowerBound
      tell(
        "looking in rows \(fetch.rows.lowerBound)–\(fetch.rows.upperBound) for \(find.text)",
        while: .hunting(app))
      return true
    }
    views[app]?.hunt = nil
    end(hunt, at: next, list, instance)
    return true
  }

  /// Goes to the hit, if there is one. `n` and `N` wrap around at either end.
  private mutating func end(
    _ hunt: HitHunt, at next: ListPlace?, _ list: RowList, _ instance: Instance
  ) {
    let text = views[instance.session]?.find?.text ?? ""
    switch (next, hunt.goal) {
    case (let next?, _):
      if next != views[instance.session]?.selection.place { go(to: next.number, instance) }
    case (nil, .writer):
      tell("nothing found up to row \(hunt.origin.previous) for \(text)", while: atCursor)
    case (nil, _):
      guard let other = hunt.isNext ? list.first : list.last else {
        return tell("nothing found for \(text)", while: .noHits(instance.session))
      }
      go(to: other.number, instance)
    }
  }
}

extension RowSearch {
  /// Whether no row that was not searched yet can be the hit that the hunt looks for.
  fileprivate func isSure(of hit: SequenceNumber?, _ hunt: HitHunt) -> Bool {
    guard let hit else { return isDone }
    return hasSearched(hunt.isNext ? hunt.origin.next...hit : hit...hunt.origin.previous)
  }
}

extension AppView {
  /// What to request for the row under the cursor; nil if it is here with its contents.
  fileprivate func lacked(in timeline: Timeline) -> (row: SequenceNumber, fetch: RowFetch)? {
    switch list(of: timeline).item(at: selection.place) {
    case .notLoaded(let range) where !timeline.isComing(range):
      let row = min(max(selection.wanted.number, range.lowerBound), range.upperBound)
      return (row, RowFetch(around: row, within: range))
    case .row(let row) where row.isDropped:
      let fetch = RowFetch(
        around: row.number, within: 1...timeline.newestNumber, stateSize: row.stateSize ?? 0)
      return (row.number, fetch)
    default: return nil
    }
  }

  /// Whether a step would lead to rows that are requested, or are about to be.
  func waits(toGo isNext: Bool, in timeline: Timeline) -> Bool {
    let row = selection.wanted.number
    guard fetch?.rows.contains(row) != true || fetch?.isUnderWay == true,
      case .notLoaded(let range) = list(of: timeline).item(at: selection.place),
      !timeline.isComing(range)
    else { return false }
    return row != (isNext ? range.upperBound : range.lowerBound)
  }
}
