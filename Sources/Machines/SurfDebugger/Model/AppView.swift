import SurfViewer
import SurfWire

/// What a person has set up in the view of one app. It stays while another app is shown.
struct AppView: Sendable {
  var selection = RowSelection()
  var marks = RowMarks()
  /// The row that differences start from, if one is pinned.
  var base: SequenceNumber?
  var comparison = Comparison.previous
  var order = RowList.Order.oldestFirst
  /// Only these rows are shown.
  var filter: RowSearch?
  var find: RowSearch?
  var detail = DetailView()

  /// The state that the difference is from.
  enum Comparison: Equatable, Sendable {
    case previous, base, app
    /// Of another app: of its newest row, or of the row that the person looks at there.
    case other(SessionID)
  }

  var isSearching: Bool { filter?.isDone == false || find?.isDone == false }
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
