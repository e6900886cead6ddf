import SurfBasics
import SurfTimeline
import SurfViewer
import SurfWire

/// Rows that the debugger requests again: they were evicted, or have lost their contents, and the
/// cursor or a search has reached them.
struct RowFetch: Equatable, Sendable {
  let rows: ClosedRange<SequenceNumber>
  /// Whether rows without their contents are absent, too.
  private let wantsContents: Bool
  private var progress = Progress.none

  private enum Progress: Equatable, Sendable {
    case none
    /// It ends at `end` unless fewer rows are absent by then.
    case requested(absent: WireCount, absentAtFirst: WireCount, end: Duration)
    case over(Yield)
  }

  /// How many of the absent rows have arrived, or were reported lost.
  enum Yield: Equatable, Sendable {
    case nothing, part, everything
  }

  /// Some screens full.
  static let rowCountMax: WireCount = 256
  /// Octets of states; a fetch takes at least a row and its two neighbours.
  private static let sizeMax = 8 << 20
  /// Longer than a slow network pauses. A live app may never answer, and the timeline may have no
  /// room for what arrives.
  private static let patience = Duration.seconds(10)

  /// The rows around one.
  ///
  /// - Parameter stateSize: Octets of that row's state.
  init(
    around row: SequenceNumber, within range: ClosedRange<SequenceNumber>, stateSize: Int = 0,
    count: WireCount = rowCountMax, wantsContents: Bool = false
  ) {
    self.wantsContents = wantsContents
    let fitting = WireCount(UInt64(max(3, Self.sizeMax / max(1, stateSize))))
    let count = min(count, fitting)
    let upper = min(range.upperBound, row.advanced(by: count.divided(by: 2)))
    let lower = max(range.lowerBound, upper.next.goingBack(by: count))
    rows = lower...min(range.upperBound, max(upper, lower.advanced(by: count).previous))
  }

  var isRequested: Bool { progress != .none }

  /// Whether more of the rows may arrive.
  var isUnderWay: Bool { yield == nil }

  /// Nil until it is over.
  var yield: Yield? { if case .over(let yield) = progress { yield } else { nil } }

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
    if absent.isZero {
      progress = .over(.everything)
    } else if end <= now {
      progress = .over(absent == first ? .nothing : .part)
    } else {
      progress = .requested(absent: absent, absentAtFirst: first, end: end)
    }
  }

  /// The rows that have neither arrived nor been reported lost.
  private func absentCount(in timeline: Timeline) -> WireCount {
    let first = timeline.firstIndex(from: rows.lowerBound)
    let here = timeline.rows[first..<timeline.firstIndex(from: rows.upperBound.next)]
    let arrived = wantsContents ? here.count { !$0.isDropped } : here.count
    let lost = timeline.lost.intersection(rows).lazy.map(\.length).sum
    return rows.length.subtracting(lost).subtracting(WireCount(arrived))
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
  /// The rows from the origin to this one have been requested; the next fetch begins after it.
  var frontier: SequenceNumber
  /// Whether some rows up to there could not be had.
  var hasGaps = false

  init(_ goal: Goal, from origin: SequenceNumber) {
    (self.goal, self.origin, frontier) = (goal, origin, origin)
  }

  var isNext: Bool { goal == .next }

  /// Newer rows than those that are here will probably arrive without a request.
  func end(in timeline: Timeline) -> SequenceNumber {
    isNext ? timeline.rows.last?.number ?? 0 : 1
  }

  /// More than for the cursor: only the hits are looked at.
  private static let rowCount: WireCount = 1_024

  /// The nearest rows of a hole, and the row on either side. Whether a state has changed
  /// shows only beside the state before it, and the next fetch may evict that one.
  func fetch(
    of hole: ClosedRange<SequenceNumber>, in timeline: Timeline, wantsContents: Bool
  ) -> RowFetch {
    let near = isNext ? hole.lowerBound : hole.upperBound
    let newest = max(hole.upperBound, timeline.rows.last?.number ?? 0)
    return RowFetch(
      around: near,
      within: max(1, hole.lowerBound.previous)...min(hole.upperBound.next, newest),
      stateSize: timeline.row(near)?.stateSize ?? 0, count: Self.rowCount,
      wantsContents: wantsContents)
  }
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
    guard let view = views[app], var hunt = view.hunt else { return false }
    guard let find = view.find else {
      views[app]?.hunt = nil
      return false
    }
    let hits = hunt.goal == .writer ? view.branches.past(of: hunt.origin, find.hits) : find.hits
    let list = RowList(timeline, hits: hits)
    let origin = ListPlace(hunt.origin)
    let found = hunt.isNext ? list.place(after: origin) : list.place(before: origin)
    // The line of a restart passes every filter, but is not a hit.
    let next = found == .restart ? nil : found
    guard find.isSure(of: next?.number, hunt) else { return false }
    if hunt.frontier != hunt.origin, let fetch = view.fetch {
      switch fetch.yield {
      case nil: return false
      case .everything: break
      case .part: hunt.hasGaps = true
      case .nothing:
        views[app]?.hunt = nil
        tell(
          "rows \(fetch.rows.lowerBound)–\(fetch.rows.upperBound) did not arrive: the search for "
            + "\(find.text) ends there", .failed)
        return true
      }
    }
    let hole = timeline.hole(
      hunt.isNext ? .after : .before, hunt.frontier,
      through: next?.number ?? hunt.end(in: timeline), wantingContentsOf: find.undecided)
    if let hole, canFetch(from: instance) {
      if view.fetch?.isUnderWay == true { return false }
      let fetch = hunt.fetch(of: hole, in: timeline, wantsContents: find.mayLackHits)
      hunt.frontier = hunt.isNext ? fetch.rows.upperBound : fetch.rows.lowerBound
      views[app]?.fetch = fetch
      views[app]?.hunt = hunt
      tell(
        "looking in rows \(fetch.rows.lowerBound)–\(fetch.rows.upperBound) for \(find.text)",
        while: .hunting(app))
      return true
    }
    if next == nil, awaitsInitialState(view, instance) {
      tell("asking for the initial state, to look for \(find.text)", while: .hunting(app))
      return false
    }
    views[app]?.hunt = nil
    if hole != nil { hunt.hasGaps = true }
    end(hunt, at: next, list, instance)
    return true
  }

  /// Goes to the hit, if there is one. `n` and `N` wrap around at either end.
  private mutating func end(
    _ hunt: HitHunt, at next: ListPlace?, _ list: RowList, _ instance: Instance
  ) {
    guard let find = views[instance.session]?.find else { return }
    let isSure = !find.mayLackHits && !find.needsInitialState && !hunt.hasGaps
    let doubt = isSure ? "" : ": some rows could not be searched"
    switch (next, hunt.goal) {
    case (let next?, let goal):
      let (here, row) = (hunt.origin, next.number)
      if next != views[instance.session]?.selection.place { go(to: row, instance) }
      if goal != .writer, let branches = views[instance.session]?.branches, branches.width > 0,
        branches.areApart(
          min(here, row), max(here, row), in: HistoryOrder(instance.timeline))
      {
        tell("row \(row) is in another future than row \(here)", while: atCursor)
      }
    case (nil, .writer):
      tell(
        "nothing found up to row \(hunt.origin.previous) for \(find.text)\(doubt)", while: atCursor)
    case (nil, _):
      guard let other = hunt.isNext ? list.place(after: .restart) : list.last, other != .restart
      else {
        return tell("nothing found for \(find.text)\(doubt)", while: .noHits(instance.session))
      }
      let isOther = other != views[instance.session]?.selection.place
      go(to: other.number, instance)
      tell((isOther ? "the search began again" : "there is no other hit") + doubt, while: atCursor)
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
