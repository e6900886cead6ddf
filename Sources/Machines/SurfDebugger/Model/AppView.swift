import SurfQuery
import SurfTimeline
import SurfViewer
import SurfWire

/// What a person has set up in the view of one app. It stays while another app is shown.
struct AppView: Sendable {
  /// These four are of the list that is shown.
  var selection = RowSelection()
  /// Only these rows are shown.
  var filter: RowSearch?
  var find: RowSearch?
  var detail = DetailView()
  var marks = RowMarks()
  /// The row that differences start from, if one is pinned.
  var base: SequenceNumber?
  var comparison = Comparison.previous
  var order = RowList.Order.oldestFirst
  var values = ValueTree()
  /// Of all rows, filtered or not.
  var branches: BranchGraph
  var scrub = Scrub()
  private(set) var page = Page.rows
  /// From which level on the log is shown, where it is.
  private var level: LogLevel?
  /// Of the list that is not shown.
  private var hidden = HiddenPage()

  private struct HiddenPage: Sendable {
    var selection = RowSelection()
    var filter: RowSearch?
    var find: RowSearch?
    var detail = DetailView()
  }

  init(_ timeline: Timeline = Timeline(), order: RowList.Order = .oldestFirst) {
    branches = BranchGraph(timeline)
    self.order = order
  }

  /// The state that the difference is from.
  enum Comparison: Equatable, Sendable {
    case previous, base, app
    /// Of another app: of its newest row, or of the row that the person looks at there.
    case other(SessionID)
  }

  var isSearching: Bool { filter?.isDone == false || find?.isDone == false }

  /// These rows are new, or others than before.
  mutating func add(_ rows: ClosedRange<SequenceNumber>, in timeline: Timeline) {
    filter?.add(rows, in: timeline)
    find?.add(rows, in: timeline)
    hidden.filter?.add(rows, in: timeline)
    hidden.find?.add(rows, in: timeline)
    branches.add(rows, in: timeline)
  }

  /// For the list that is shown, or for the other.
  mutating func take(_ inspection: Inspection) {
    detail.take(inspection)
    hidden.detail.take(inspection)
  }

  mutating func turn(to page: Page) {
    if (page == .logs) != (self.page == .logs) {
      let shown = HiddenPage(selection: selection, filter: filter, find: find, detail: detail)
      (selection, filter, find, detail) = (
        hidden.selection, hidden.filter, hidden.find, hidden.detail
      )
      hidden = shown
    }
    self.page = page
  }

  /// The log is a list with a filter that stays.
  mutating func filterLog(from level: LogLevel, in timeline: Timeline, secondsFromGMT: Int) {
    guard filter == nil || self.level != level else { return }
    self.level = level
    do throws(QueryError) {
      filter = try RowSearch(
        filter?.text ?? "", within: .log(from: level), in: timeline,
        secondsFromGMT: secondsFromGMT)
    } catch {
      // The text was a query before.
      filter = nil
    }
  }
}

/// What the body of the screen shows.
enum Page: Equatable, Sendable {
  case rows
  /// Lines of the log alone.
  case logs
  /// The live values as a tree.
  case values
}

/// The parts of the detail.
package enum DetailTab: String, CaseIterable, Sendable {
  case changes = "Diff"
  case state = "State"
  case action = "Action"
  case facts = "Info"
}

/// Where keys go.
enum Pane: Equatable, Sendable {
  case list, detail

  var other: Pane { self == .list ? .detail : .list }
}

/// Which panes a screen shows.
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

/// What the column of times tells.
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
