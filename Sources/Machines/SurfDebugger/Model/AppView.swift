import SurfQuery
import SurfTimeline
import SurfViewer
import SurfWire

/// The view of one app, as a person has set it up. `Debugger` keeps one for each app it has shown.
struct AppView: Sendable {
  /// `selection`, `filter`, `find` and `detail` belong to the list on screen; see `hidden`.
  var selection = RowSelection()
  var filter: RowSearch?
  var find: RowSearch?
  var detail = DetailView()
  var marks = RowMarks()
  var jumps = JumpList()
  /// The next run, if its first line led here.
  var openedFrom: SessionID?
  /// The pinned row to compare with.
  var base: SequenceNumber?
  var comparison = Comparison.previous
  var order = RowList.Order.oldestFirst
  var values = ValueTree()
  /// Includes rows that the filter hides.
  var branches: BranchGraph
  var leftOut: LeftOutRows
  /// The order in force while the list shows it.
  var arrangement: Arrangement?
  var scrub = Scrub()
  var fetch: RowFetch?
  /// When its initial state was first missed on the screen.
  var missedSince: Duration?
  var hunt: HitHunt?
  var watched = WatchColumns()
  private(set) var page = Page.rows
  /// The lowest log level that `filter` shows on the log page.
  private var level: LogLevel?
  /// The same four for the list that is not on screen: rows or log.
  private var hidden = HiddenPage()

  private struct HiddenPage: Sendable {
    var selection = RowSelection()
    var filter: RowSearch?
    var find: RowSearch?
    var detail = DetailView()
  }

  init(_ timeline: Timeline = Timeline(), order: RowList.Order = .oldestFirst) {
    branches = BranchGraph(timeline)
    leftOut = LeftOutRows(timeline)
    self.order = order
  }

  /// The view of the next run of the app: whatever names no row of this one.
  func forNextRun(_ session: SessionID, _ timeline: Timeline, secondsFromGMT: Int) -> AppView {
    func renewed(_ search: RowSearch?) -> RowSearch? {
      search?.renewed(in: timeline, secondsFromGMT: secondsFromGMT)
    }
    var next = AppView(timeline, order: order)
    (next.page, next.level) = (page, level)
    (next.filter, next.find, next.detail) = (renewed(filter), renewed(find), detail.emptied)
    next.hidden = HiddenPage(
      filter: renewed(hidden.filter), find: renewed(hidden.find), detail: hidden.detail.emptied)
    next.values.filter = values.filter
    if comparison != .base, comparison != .other(session) { next.comparison = comparison }
    return next
  }

  /// The state to compare the row's state with.
  enum Comparison: Equatable, Sendable {
    case previous, base, app
    /// Another app's newest state, or that of the row selected there.
    case other(SessionID)
  }

  var isSearching: Bool {
    filter?.isDone == false || find?.isDone == false || detail.isSearching
  }

  /// Updates searches and branches for rows that are new or have changed.
  mutating func add(_ rows: ClosedRange<SequenceNumber>, in timeline: Timeline) {
    filter?.add(rows, in: timeline)
    find?.add(rows, in: timeline)
    hidden.filter?.add(rows, in: timeline)
    hidden.find?.add(rows, in: timeline)
    branches.add(rows, in: timeline)
    leftOut.add(rows, in: timeline)
    arrangement?.add(rows, in: timeline)
  }

  /// Offers it to both lists; the one that asked for it keeps it.
  mutating func take(_ inspection: Inspection) {
    detail.take(inspection)
    hidden.detail.take(inspection)
  }

  mutating func turn(to page: Page) {
    if (page == .logs) != (self.page == .logs) {
      swap(&selection, &hidden.selection)
      swap(&filter, &hidden.filter)
      swap(&find, &hidden.find)
      swap(&detail, &hidden.detail)
    }
    self.page = page
  }

  /// The log page is the row list with a permanent filter.
  mutating func filterLog(from level: LogLevel, in timeline: Timeline, secondsFromGMT: Int) {
    guard filter == nil || self.level != level else { return }
    self.level = level
    do throws(QueryError) {
      filter = try RowSearch(
        filter?.text ?? "", within: .log(from: level), in: timeline,
        secondsFromGMT: secondsFromGMT)
    } catch {
      // Cannot happen: the text parsed before.
      filter = nil
    }
  }
}

enum Page: Equatable, Sendable {
  case rows
  case logs
  case values
}

/// The tabs of the detail pane.
enum DetailTab: String, CaseIterable, Sendable {
  case changes = "Diff"
  case state = "State"
  case action = "Action"
  case facts = "Info"
}

/// The pane that gets the keys.
enum Pane: Equatable, Sendable {
  case list, detail

  var other: Pane { self == .list ? .detail : .list }
}

enum Zoom: Equatable, Sendable {
  case both, list, detail

  var next: Zoom {
    switch self {
    case .both: .list
    case .list: .detail
    case .detail: .both
    }
  }
}

/// What the time column shows.
enum TimeColumn: Equatable, Sendable {
  case clock, sinceStart, sincePrevious, sinceMark

  var next: TimeColumn {
    switch self {
    case .clock: .sinceStart
    case .sinceStart: .sincePrevious
    case .sincePrevious, .sinceMark: .clock
    }
  }
}
